'use client';

import { Button, NativeSelect, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { AdminPage } from '@/components/admin/admin-page';
import page from '@/components/admin/admin-page.module.css';
import { toAuditCsvUrl, useAudit } from '@/lib/audit/queries';
import { actionWords, dayStartMs } from '@/lib/audit/text';
import type { AuditFilterInput } from '@/lib/audit/schema';
import styles from './audit-page.module.css';
import { AuditTable } from './audit-table';

/** Typing is debounced, so that each letter is not a request. */
const TYPING_MS = 300;

const EVERYTHING = { who: '', action: '', outcome: '', from: '', until: '' };
type Fields = typeof EVERYTHING;

const toFilter = ({ who, action, outcome, from, until }: Fields): AuditFilterInput => ({
  who: who.trim() || undefined,
  action: action || undefined,
  outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
  fromMs: dayStartMs(from),
  // The day itself is among them.
  untilMs: dayStartMs(until, 1),
});

const OUTCOMES = [
  { value: '', label: 'Any' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];

/** Who did what, and what was refused: found, read and taken away. */
export const AuditPage = () => {
  const [fields, setFields] = useState(EVERYTHING);
  const [asked] = useDebouncedValue(fields, TYPING_MS);
  const filter = toFilter(asked);
  const { data, dataUpdatedAt, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useAudit(filter);
  const lines = data?.pages.flatMap((page) => page.lines);
  const actions = data?.pages[0]?.actions ?? [];
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  return (
    <AdminPage
      title="Audit log"
      actions={
        <Button
          component="a"
          href={toAuditCsvUrl(toFilter(fields))}
          download
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} />}
        >
          Save as CSV
        </Button>
      }
      error={error}
    >
      <form className={styles.filter} role="search" onSubmit={(event) => event.preventDefault()}>
        <TextInput
          label="Who"
          placeholder="E-mail address, or part of it"
          type="search"
          autoComplete="off"
          maxLength={254}
          value={fields.who}
          onChange={({ currentTarget }) => set({ who: currentTarget.value })}
        />
        <NativeSelect
          label="What"
          data={[
            { value: '', label: 'Anything' },
            ...actions.map((value) => ({ value, label: actionWords(value) })),
          ]}
          value={fields.action}
          onChange={({ currentTarget }) => set({ action: currentTarget.value })}
        />
        <NativeSelect
          label="Outcome"
          data={OUTCOMES}
          value={fields.outcome}
          onChange={({ currentTarget }) => set({ outcome: currentTarget.value })}
        />
        <TextInput
          label="From"
          type="date"
          value={fields.from}
          onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        />
        <TextInput
          label="Until"
          type="date"
          value={fields.until}
          onChange={({ currentTarget }) => set({ until: currentTarget.value })}
        />
      </form>
      {lines === undefined ? (
        error === null && <Skeleton height={320} radius="md" />
      ) : lines.length === 0 ? (
        <div className={page.nothing} role="status">
          <p>No entries match.</p>
          <Button variant="default" mt="sm" onClick={() => setFields(EVERYTHING)}>
            Show all
          </Button>
        </div>
      ) : (
        <AuditTable lines={lines} nowMs={dataUpdatedAt} />
      )}
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older lines
        </Button>
      ) : null}
    </AdminPage>
  );
};
