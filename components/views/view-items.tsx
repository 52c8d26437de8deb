import { Box, Group, Menu } from '@mantine/core';
import { IconCheck, IconHome } from '@tabler/icons-react';
import { useUsdot, useView, useViewStore } from '@/components/fleet-state/fleet-context';
import { isSameView } from '@/lib/view/saved-view';
import { parseViewState, type ViewState } from '@/lib/view/view-state';
import { useSavedViews } from '@/lib/views/queries';
import { type SavedView, sharedText } from '@/lib/views/schema';
import type { ViewTask } from './view-dialogs';

interface ViewItemsProps {
  onOpen: (view: ViewState) => void;
  onTask: (task: ViewTask) => void;
}

export const ViewItems = ({ onOpen, onTask }: ViewItemsProps) => {
  const { data, error } = useSavedViews(useUsdot());
  const store = useViewStore();
  // Renders again when the view changes.
  useView();
  const shown = store.read();
  return (
    <>
      <Menu.Label>Saved views</Menu.Label>
      {data === undefined ? (
        <Box component="p" px={12} pt={6} pb={10} c="var(--lh-dim)" role="status">
          {error?.message ?? 'Loading the views…'}
        </Box>
      ) : null}
      {data?.views.length === 0 ? (
        <Box component="p" px={12} pt={2} pb={8} c="var(--lh-dim)" fz={13}>
          None yet. A view keeps the search, the filters, the order, the tails and the place of the map.
        </Box>
      ) : null}
      {data?.views.map((view) => (
        <ViewItem
          key={view.id}
          view={view}
          isStart={view.id === data.startId}
          isHere={isSameView(parseViewState(view.search), shown)}
          onOpen={onOpen}
        />
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => onTask({ kind: 'save' })}>Save this view…</Menu.Item>
      {data === undefined || data.views.length === 0 ? null : (
        <Menu.Item onClick={() => onTask({ kind: 'manage' })}>Change or remove views…</Menu.Item>
      )}
    </>
  );
};

interface ViewItemProps {
  view: SavedView;
  isStart: boolean;
  isHere: boolean;
  onOpen: (view: ViewState) => void;
}

const ViewItem = ({ view, isStart, isHere, onOpen }: ViewItemProps) => {
  const shared = sharedText(view);
  return (
    <Menu.Item
      aria-current={isHere ? 'true' : undefined}
      rightSection={isHere ? <IconCheck size={18} stroke={2} aria-hidden="true" /> : null}
      onClick={() => onOpen(parseViewState(view.search))}
    >
      <Group component="span" gap={6}>
        {view.name}
        {isStart ? <IconHome size={14} stroke={2} role="img" aria-label="Start page" /> : null}
      </Group>
      {shared === '' ? null : <div className="lh-note">{shared}</div>}
    </Menu.Item>
  );
};
