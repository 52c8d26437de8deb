import { BareButton } from '@/components/ui/bare-button';
import { IconBookmark } from '@tabler/icons-react';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { isMapShown } from '@/components/fleet-state/map-link';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';
import { useShortcuts } from '@/components/ui/shortcuts';
import type { ViewState } from '@/lib/view/view-state';
import type { ViewTask } from './view-dialogs';

const viewItems = onDemand(() => import('./view-items').then(({ ViewItems }) => ViewItems));
const viewDialogs = onDemand(() => import('./view-dialogs').then(({ ViewDialog }) => ViewDialog));

interface ViewsMenuProps {
  className: string | undefined;
  onOpen: (view: ViewState) => void;
}

/** The button of the menu of saved views; the key v opens it. */
export const ViewsMenu = ({ className, onOpen }: ViewsMenuProps): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const [task, setTask] = useState<ViewTask | null>(null);
  const menu = useRef<HTMLSpanElement>(null);
  useShortcuts({ v: () => setOpen(true) }, isMapShown);
  const close = (): void => {
    setTask(null);
    // The item that opened the dialog is gone with its menu.
    menu.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={menu}>
      <Popup
        kind="menu"
        width={270}
        preload={viewItems.preload}
        isOpen={isOpen}
        onOpenChange={setOpen}
        // By default a key outside the menu closes it as well: the very key that opens it could.
        clickOutsideEvents={['mousedown', 'touchstart']}
        target={
          <BareButton className={className} aria-label="Saved views" title="Saved views (v)">
            <IconBookmark size={17} stroke={1.9} aria-hidden="true" />
          </BareButton>
        }
      >
        <viewItems.Part onOpen={onOpen} onTask={setTask} />
      </Popup>
      {task === null ? null : (
        <Suspense>
          <viewDialogs.Part task={task} onTask={setTask} onClose={close} />
        </Suspense>
      )}
    </span>
  );
};
