'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import Link from 'next/link';
import { MENU } from '@/components/ui/menu';
import type { FleetCounts } from '@/lib/view/filter';
import { FLAG_WORDS, SILENT_REASONS, SILENT_WORDS } from '@/lib/view/text';
import { FLAGS } from '@/lib/wire/status';
import type { Flag, Reason } from '@/lib/wire/status';
import styles from './flag-filter.module.css';

interface FlagFilterProps {
  /** Null before the first answer. */
  counts: FleetCounts | null;
  flags: readonly Flag[];
  reasons: readonly Reason[];
  onChooseFlags: (flags: Flag[]) => void;
  onChooseReasons: (reasons: Reason[]) => void;
}

const toggled = <T,>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

/** Each thing to check and each kind of silence with how many units it holds; chosen ones narrow list and map. */
export const FlagFilter = (props: FlagFilterProps) => {
  const { counts, flags, reasons, onChooseFlags, onChooseReasons } = props;
  const chosen = flags.length + reasons.length;
  const words = chosen === 0 ? 'Filter by flag' : `Filter by flag: ${chosen} chosen`;
  return (
    <Menu {...MENU} width={270} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={styles.target} data-chosen={chosen > 0} aria-label={words} title={words}>
          <IconFilter size={17} stroke={1.9} aria-hidden="true" />
          {chosen > 0 ? <b aria-hidden="true">{chosen}</b> : null}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        <Menu.Label>To check</Menu.Label>
        {FLAGS.map((flag) => (
          <Line
            key={flag}
            words={FLAG_WORDS[flag]}
            count={counts?.byFlag[flag] ?? null}
            isChosen={flags.includes(flag)}
            onToggle={() => onChooseFlags(toggled(flags, flag))}
          />
        ))}
        <Menu.Label>Silent</Menu.Label>
        {SILENT_REASONS.map((reason) => (
          <Line
            key={reason}
            words={SILENT_WORDS[reason]}
            count={counts?.byReason[reason] ?? null}
            isChosen={reasons.includes(reason)}
            onToggle={() => onChooseReasons(toggled(reasons, reason))}
          />
        ))}
        <Menu.Divider />
        {chosen > 0 ? (
          <Menu.Item
            closeMenuOnClick
            onClick={() => {
              onChooseFlags([]);
              onChooseReasons([]);
            }}
          >
            Clear these
          </Menu.Item>
        ) : null}
        <Menu.Item component={Link} href="/help" prefetch={false} closeMenuOnClick>
          What they mean
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

interface LineProps {
  words: string;
  count: number | null;
  isChosen: boolean;
  onToggle: () => void;
}

const Line = ({ words, count, isChosen, onToggle }: LineProps) => (
  <Menu.CheckboxItem
    checked={isChosen}
    onChange={onToggle}
    data-empty={!count}
    rightSection={
      <span className={styles.count}>{count === null ? '–' : count.toLocaleString('en-US')}</span>
    }
  >
    {words}
  </Menu.CheckboxItem>
);
