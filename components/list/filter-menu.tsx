import { IconFilter } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useView } from '@/components/fleet-state/fleet-context';
import type { TagTask } from '@/components/tags/tag-dialogs';
import type { FleetCounts } from '@/lib/view/filter';
import type { Fleet } from '@/lib/wire/fleet';
import { onDemand } from '../ui/popup/on-demand';
import { Popup } from '../ui/popup/popup';
import styles from './list-toolbar.module.css';

const filterItems = onDemand(() => import('./list-menus').then(({ FilterItems }) => FilterItems));
const tagDialogs = onDemand(() => import('@/components/tags/tag-dialogs').then(({ TagDialog }) => TagDialog));

interface FilterMenuProps {
  /** Both null before the first answer. */
  fleet: Fleet | null;
  counts: FleetCounts | null;
  /** The rows of the list. */
  shown: Int32Array;
}

/** The button of the menu in which things to check, kinds of silence, tags and sites are chosen, and units are tagged. */
export const FilterMenu = ({ fleet, counts, shown }: FilterMenuProps) => {
  const { flags, reasons, tags, sites } = useView();
  const [task, setTask] = useState<TagTask | null>(null);
  const menu = useRef<HTMLSpanElement>(null);
  const chosen = flags.length + reasons.length + tags.length + sites.length;
  const label =
    chosen === 0 ? 'Filter by flag, tag or site' : `Filter by flag, tag or site: ${chosen} chosen`;
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
        closeOnItemClick={false}
        className={styles.filterMenu}
        preload={filterItems.preload}
        target={
          <BareButton className={styles.filter} data-chosen={chosen > 0} aria-label={label} title={label}>
            <IconFilter size={17} stroke={1.9} aria-hidden="true" />
            {chosen > 0 ? <b aria-hidden="true">{chosen}</b> : null}
          </BareButton>
        }
      >
        <filterItems.Part counts={counts} fleet={fleet} shown={shown} onTask={setTask} />
      </Popup>
      {task === null ? null : (
        <Suspense>
          <tagDialogs.Part task={task} onClose={close} />
        </Suspense>
      )}
    </span>
  );
};
