import { Menu } from '@mantine/core';
import Link from 'next/link';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import type { FleetCounts } from '@/lib/view/filter';
import { SORT_LABELS, SORT_ORDERS } from '@/lib/view/sort';
import type { SortOrder } from '@/lib/view/sort';
import { FLAG_LABELS, SILENT_LABELS, SILENT_REASONS } from '@/lib/view/text';
import { FLAGS } from '@/lib/wire/status';

/** The orders of the list as items of a menu. */
export const SortItems = () => {
  const { sort } = useView();
  const { sortBy } = useViewActions();
  return (
    <>
      <Menu.Label>Order</Menu.Label>
      <Menu.RadioGroup value={sort} onChange={(order) => sortBy(order as SortOrder)}>
        {SORT_ORDERS.map((order) => (
          <Menu.RadioItem key={order} value={order} closeMenuOnClick>
            {SORT_LABELS[order]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
};

const toggled = <T,>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

/** Each thing to check and each kind of silence with how many units it holds; chosen ones narrow list and map. */
export const FlagItems = ({ counts }: { counts: FleetCounts | null }) => {
  const { flags, reasons } = useView();
  const { chooseFlags, chooseReasons } = useViewActions();
  const chosen = flags.length + reasons.length;
  return (
    <>
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
      {chosen > 0 ? (
        <Menu.Item
          closeMenuOnClick
          onClick={() => {
            chooseFlags([]);
            chooseReasons([]);
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
    rightSection={<span>{count === null ? '–' : count.toLocaleString('en-US')}</span>}
  >
    {label}
  </Menu.CheckboxItem>
);
