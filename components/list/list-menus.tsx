import { Menu } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { useReading, useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import type { TagTask } from '@/components/tags/tag-dialogs';
import { countAtSites } from '@/lib/sites/site-table';
import { useLoads } from '@/lib/loads/queries';
import { BOARD_VERDICTS, VERDICT_LABELS, type BoardVerdict } from '@/lib/view/load-verdicts';
import { useTags } from '@/lib/tags/queries';
import { MOST_UNITS } from '@/lib/tags/schema';
import type { FleetCounts } from '@/lib/view/filter';
import { formatCount, formatWhole } from '@/lib/view/format';
import { COLUMN_LABELS, SILENT_LABELS } from '@/lib/view/filter-text';
import { LIST_COLUMNS, FLAG_LABELS, SILENT_REASONS } from '@/lib/view/text';
import type { UnitTag } from '@/lib/view/marks';
import { SORT_LABELS, SORT_ORDERS, type SortOrder } from '@/lib/view/sort';
import type { Fleet } from '@/lib/wire/fleet';
import { FLAGS } from '@/lib/motion/status';

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
  const { flags, reasons, tags, sites, loads } = useView();
  const { chooseFlags, chooseReasons, chooseTags, chooseSites, chooseLoads } = useViewActions();
  const known = useTags(useUsdot()).data?.tags ?? NO_TAGS;
  return (
    <>
      <TagItems known={known} {...others} />
      <SiteLines />
      <LoadLines />
      <Menu.Label>To check</Menu.Label>
      <FilterLines
        values={FLAGS}
        labelOf={(flag) => FLAG_LABELS[flag]}
        countOf={(flag) => counts?.byFlag[flag]}
        chosen={flags}
        onChoose={chooseFlags}
      />
      <Menu.Label>Silent</Menu.Label>
      <FilterLines
        values={SILENT_REASONS}
        labelOf={(reason) => SILENT_LABELS[reason]}
        countOf={(reason) => counts?.byReason[reason]}
        chosen={reasons}
        onChoose={chooseReasons}
      />
      <Menu.Divider />
      {flags.length + reasons.length + tags.length + sites.length + loads.length > 0 ? (
        <Menu.Item
          closeMenuOnClick
          onClick={() => {
            chooseFlags([]);
            chooseReasons([]);
            chooseTags([]);
            chooseSites([]);
            chooseLoads([]);
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
  shown: Int32Array;
  onTask: (task: TagTask) => void;
}

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
      <FilterLines
        values={known.map(({ tag }) => tag)}
        labelOf={(tag) => tag}
        countOf={(tag) => known.find((each) => each.tag === tag)?.units.length}
        chosen={tags}
        onChoose={chooseTags}
      />
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
      <FilterLines
        values={listed}
        labelOf={(id) => names.get(id)!}
        countOf={(id) => counts.get(id) ?? 0}
        chosen={chosen}
        onChoose={chooseSites}
      />
    </>
  );
};

const WATCHED = BOARD_VERDICTS.filter((verdict) => verdict !== 'done');

/** The verdicts of loads under way, with the number of trucks that have one. */
const LoadLines = () => {
  const { loads: chosen } = useView();
  const { chooseLoads } = useViewActions();
  const loads = useLoads(useUsdot()).data?.ofUnits;
  if (chosen.length === 0 && (loads === undefined || loads.length === 0)) return null;
  const countOf = (of: BoardVerdict): number | undefined =>
    loads && new Set(loads.flatMap(({ verdict, unit }) => (verdict === of ? unit : []))).size;
  return (
    <>
      <Menu.Label>Its load</Menu.Label>
      <FilterLines
        values={WATCHED}
        labelOf={(verdict) => VERDICT_LABELS[verdict]}
        countOf={countOf}
        chosen={chosen}
        onChoose={chooseLoads}
      />
    </>
  );
};

interface FilterLinesProps<Listed extends Value, Value extends string | number> {
  values: readonly Listed[];
  labelOf: (value: Listed) => string;
  /** Undefined before the first answer. */
  countOf: (value: Listed) => number | undefined;
  chosen: readonly Value[];
  onChoose: (chosen: Value[]) => void;
}

const FilterLines = <Listed extends Value, Value extends string | number>(
  props: FilterLinesProps<Listed, Value>,
) => {
  const { values, labelOf, countOf, chosen, onChoose } = props;
  return values.map((value) => {
    const count = countOf(value);
    return (
      <Menu.CheckboxItem
        key={value}
        checked={chosen.includes(value)}
        onChange={() => onChoose(toggled(chosen, value))}
        data-empty={!count}
        rightSection={<span>{count === undefined ? '–' : formatWhole(count)}</span>}
      >
        {labelOf(value)}
      </Menu.CheckboxItem>
    );
  });
};
