import { Button, Checkbox, TextInput } from '@mantine/core';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { Item, ItemList } from '@/components/kit/page-frame';
import { RowAction } from '@/components/kit/table';
import { useUsdot, useViewStore } from '@/components/fleet-state/fleet-context';
import { useViewer } from '@/components/layout/viewer-context';
import { useAnnounce } from '@/components/ui/announcer';
import { ProblemNote } from '@/components/ui/problem-note';
import { toSavedSearch } from '@/lib/view/saved-view';
import { useSavedViews, useViewChanges } from '@/lib/views/queries';
import { LONGEST_VIEW_NAME, type SavedView, sharedText } from '@/lib/views/schema';

export type ViewTask = { kind: 'save' | 'manage' } | { kind: 'change' | 'remove'; view: SavedView };

interface ViewDialogProps {
  task: ViewTask;
  onTask: (task: ViewTask) => void;
  onClose: () => void;
}

export const ViewDialog = ({ task, onTask, onClose }: ViewDialogProps) => {
  const back = (): void => onTask({ kind: 'manage' });
  switch (task.kind) {
    case 'save':
      return <SaveView onClose={onClose} />;
    case 'manage':
      return <ManageViews onTask={onTask} onClose={onClose} />;
    case 'change':
      return <ChangeView view={task.view} onClose={back} />;
    case 'remove':
      return <RemoveView view={task.view} onClose={back} />;
  }
};

const SHARE_LABEL = 'Share it with all who see this fleet';

const SaveView = ({ onClose }: Pick<ViewDialogProps, 'onClose'>) => {
  const { save } = useViewChanges(useUsdot());
  const store = useViewStore();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Save this view"
      action="Save"
      initialValues={{ name: '', isShared: false, isStart: false }}
      toInput={(values) => ({ ...values, search: toSavedSearch(store.read()) })}
      send={async (view) => {
        await save.mutateAsync(view);
        announce(`View ${view.name} saved`);
      }}
      onClose={onClose}
    >
      {({ field, values }) => (
        <>
          <TextInput
            label="Name"
            description="Search, filters, order, tails and the place of the map are saved."
            placeholder="Flatbeds in Texas"
            maxLength={LONGEST_VIEW_NAME}
            data-autofocus
            {...field('name')}
          />
          <Checkbox label={SHARE_LABEL} {...field('isShared')} value="on" checked={values.isShared} />
          <Checkbox
            label="Show it when I open Linehaul"
            {...field('isStart')}
            value="on"
            checked={values.isStart}
          />
        </>
      )}
    </FormDialog>
  );
};

interface ViewProps {
  view: SavedView;
  onClose: () => void;
}

const ChangeView = ({ view, onClose }: ViewProps) => {
  const { change } = useViewChanges(useUsdot());
  const store = useViewStore();
  return (
    <FormDialog
      title={`Change the view ${view.name}`}
      action="Save"
      initialValues={{ name: view.name, isShared: view.isShared, isReplaced: false }}
      toInput={({ isReplaced, ...values }) => ({
        ...values,
        id: view.id,
        ...(isReplaced && { search: toSavedSearch(store.read()) }),
      })}
      send={(input) => change.mutateAsync(input)}
      onClose={onClose}
    >
      {({ field, values }) => (
        <>
          <TextInput label="Name" maxLength={LONGEST_VIEW_NAME} data-autofocus {...field('name')} />
          <Checkbox label={SHARE_LABEL} {...field('isShared')} value="on" checked={values.isShared} />
          <Checkbox
            label="Replace it by what the screen shows now"
            {...field('isReplaced')}
            value="on"
            checked={values.isReplaced}
          />
        </>
      )}
    </FormDialog>
  );
};

const RemoveView = ({ view, onClose }: ViewProps) => {
  const { remove } = useViewChanges(useUsdot());
  return (
    <FormDialog
      title={`Remove the view ${view.name}?`}
      action="Remove"
      isDangerous
      send={() => remove.mutateAsync(view.id)}
      onClose={onClose}
    >
      <p>
        {view.isShared
          ? 'It is gone for all who see this fleet. The audit log keeps a record of it.'
          : 'It is gone for good.'}
      </p>
    </FormDialog>
  );
};

const ManageViews = ({ onTask, onClose }: Omit<ViewDialogProps, 'task'>) => {
  const usdot = useUsdot();
  const { data } = useSavedViews(usdot);
  const { mutate: chooseStart, error } = useViewChanges(usdot).chooseStart;
  const isManager = useViewer().role === 'manager';
  return (
    <Dialog title="Saved views" onClose={onClose}>
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      {data?.views.length === 0 ? <p>No views are saved.</p> : null}
      <ItemList>
        {data?.views.map((view) => {
          const isStart = view.id === data.startId;
          return (
            <Item key={view.id} title={view.name} about={sharedText(view)}>
              <Button
                size="xs"
                variant={isStart ? 'filled' : 'default'}
                aria-pressed={isStart}
                aria-label={`Start page: ${view.name}`}
                title="Show it when I open Linehaul"
                onClick={() => chooseStart(isStart ? null : view.id)}
              >
                Start page
              </Button>
              {view.isOwn ? (
                <RowAction label="Change" of={view.name} onPress={() => onTask({ kind: 'change', view })} />
              ) : null}
              {view.isOwn || isManager ? (
                <RowAction label="Remove" of={view.name} onPress={() => onTask({ kind: 'remove', view })} />
              ) : null}
            </Item>
          );
        })}
      </ItemList>
    </Dialog>
  );
};
