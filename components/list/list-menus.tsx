import { Menu } from '@mantine/core';
import Link from 'next/link';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useIsWallScreen, useSeesAllUnits } from '@/components/layout/viewer-context';
import type { TagTask } from '@/components/tags/tag-dialogs';
import { countAtSites } from '@/lib/sites/site-table';
import { useTags } from '@/lib/tags/queries';
import { MOST_UNITS } from '@/lib/tags/schema';
import type { FleetCounts } from '@/lib/view/filter';
import { formatCount, formatWhole } from '@/lib/view/format';
import { COLUMN_LABELS, LIST_COLUMNS, FLAG_LABELS, SILENT_LABELS, SILENT_REASONS } from '@/lib/view/text';
import type { UnitTag } from '@/lib/view/marks';
import { SORT_LABELS, SORT_ORDERS, type SortOrder } from '@/lib/view/sort';
import type { Fleet } from '@/lib/wire/fleet';
import { FLAGS } from '@/lib/motion/status';

/** The orders of the list, and what else it shows, as items of a menu. */
export const SortItems = () => {
  const { sort, columns } = useView();
  const { sortBy, showColumns } = useViewActions();
  const hasSites = (useSiteNames()?.names.size ?? 0) > 0;
  return (
    <>
      <Menu.Label>Order</Menu.Label>
      <Menu.RadioGroup value={sort} onChange={(order) => sortBy(order as SortOrder)}>
        {SORT_ORDERS.filter((order) => order !== 'site' || hasSites).map((order) => (
          <Menu.RadioItem key={order} value={order} closeMenuOnClick>
            {SORT_LABELS[order]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Label>Also show</Menu.Label>
      {LIST_COLUMNS.map((column) => (
        <Menu.CheckboxItem
          key={column}
          checked={columns.includes(column)}
          // In their own order, whichever was chosen first.
          onChange={() =>
            showColumns(LIST_COLUMNS.filter((each) => columns.includes(each) !== (each === column)))
          }
        >
          {COLUMN_LABELS[column]}
        </Menu.CheckboxItem>
      ))}
    </>
  );
};

const NO_TAGS: readonly UnitTag[] = [];

const toggled = <T,>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

interface FilterItemsProps extends Omit<TagItemsProps, 'known'> {
  counts: FleetCounts | null;
}

/** Each tag, site, thing to check and kind of silence with how many units it holds; chosen ones narrow list and map. */
export const FilterItems = ({ counts, ...others }: FilterItemsProps) => {
  const { flags, reasons, tags, sites } = useView();
  const { chooseFlags, chooseReasons, chooseTags, chooseSites } = useViewActions();
  const isWallScreen = useIsWallScreen();
  const known = useTags(useUsdot(), !isWallScreen).data?.tags ?? NO_TAGS;
  return (
    <>
      {isWallScreen ? null : <TagItems known={known} {...others} />}
      <SiteLines />
      <Menu.Label>To check</Menu.Label>
      {FLAGS.map((flag) => (
        <FilterLine
          key={flag}
          label={FLAG_LABELS[flag]}
          count={counts?.byFlag[flag] ?? null}
          isChosen={flags.includes(flag)}
          onToggle={() => chooseFlags(toggled(flags, flag))}
        />
      ))}
      <Menu.Label>Silent</Menu.Label>
      {SILENT_REASONS.map((reason) => (
        <FilterLine
          key={reason}
          label={SILENT_LABELS[reason]}
          count={counts?.byReason[reason] ?? null}
          isChosen={reasons.includes(reason)}
          onToggle={() => chooseReasons(toggled(reasons, reason))}
        />
      ))}
      <Menu.Divider />
      {flags.length + reasons.length + tags.length + sites.length > 0 ? (
        <Menu.Item
          closeMenuOnClick
          onClick={() => {
            chooseFlags([]);
            chooseReasons([]);
            chooseTags([]);
            chooseSites([]);
          }}
        >
          Clear these
        </Menu.Item>
      ) : null}
      <Menu.Item component={Link} href="/help" prefetch={false} closeMenuOnClick>
        What they mean
      </Menu.Item>
    </>
  );
};

interface TagItemsProps {
  known: readonly UnitTag[];
  /** Null before the first answer. */
  fleet: Fleet | null;
  /** The rows of the list. */
  shown: Int32Array;
  onTask: (task: TagTask) => void;
}

/** The tags of the fleet, and what is done with them. */
const TagItems = ({ known, fleet, shown, onTask }: TagItemsProps) => {
  const { tags } = useView();
  const { chooseTags } = useViewActions();
  const mayChange = useSeesAllUnits();
  const title = `the ${formatCount(shown.length, 'truck')} shown`;
  const tagShown = (): void => {
    const units = [...shown].flatMap((row) => fleet?.identities[row] ?? []);
    onTask({ kind: 'units', units, title });
  };
  if (known.length === 0 && !mayChange) return null;
  return (
    <>
      <Menu.Label>Tags</Menu.Label>
      {known.map(({ tag, units }) => (
        <FilterLine
          key={tag}
          label={tag}
          count={units.length}
          isChosen={tags.includes(tag)}
          onToggle={() => chooseTags(toggled(tags, tag))}
        />
      ))}
      {mayChange ? (
        <Menu.Item
          closeMenuOnClick
          disabled={shown.length === 0 || shown.length > MOST_UNITS}
          onClick={tagShown}
        >
          Tag {title}…
        </Menu.Item>
      ) : null}
      {known.length === 0 || !mayChange ? null : (
        <Menu.Item closeMenuOnClick onClick={() => onTask({ kind: 'manage' })}>
          Rename or remove tags…
        </Menu.Item>
      )}
    </>
  );
};

/** More sites than this are found by the search. */
const MOST_SITES = 12;

/** The sites that most units are at now, and the chosen ones. */
const SiteLines = () => {
  const { fleet } = useReading();
  const { sites: chosen } = useView();
  const { chooseSites } = useViewActions();
  const names = useSiteNames()?.names;
  if (fleet === null || names === undefined || names.size === 0) return null;
  const counts = countAtSites(fleet);
  const most = [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const listed = [...new Set([...chosen, ...most.slice(0, MOST_SITES)])].filter((id) => names.has(id));
  return (
    <>
      <Menu.Label>At site</Menu.Label>
      {listed.length === 0 ? <Menu.Item disabled>No truck is at a site</Menu.Item> : null}
      {listed.map((id) => (
        <FilterLine
          key={id}
          label={names.get(id)!}
          count={counts.get(id) ?? 0}
          isChosen={chosen.includes(id)}
          onToggle={() => chooseSites(toggled(chosen, id))}
        />
      ))}
    </>
  );
};

interface FilterLineProps {
  label: string;
  count: number | null;
  isChosen: boolean;
  onToggle: () => void;
}

const FilterLine = ({ label, count, isChosen, onToggle }: FilterLineProps) => (
  <Menu.CheckboxItem
    checked={isChosen}
    onChange={onToggle}
    data-empty={!count}
    rightSection={<span>{count === null ? '–' : formatWhole(count)}</span>}
  >
    {label}
  </Menu.CheckboxItem>
);
