'use client';

import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ChangeEvent } from 'react';
import { PageFrame, Empty, Loaded, IconButton } from '@/components/kit/page-frame';
import { Name, Small, Table } from '@/components/kit/table';
import { toAuditCsvUrl, useAudit } from '@/lib/audit-log/queries';
import type { AuditEntry, AuditFilterInput } from '@/lib/audit/schema';
import { actionText, dayStartMs, detailText } from '@/lib/audit-log/text';
import { formatExactTime } from '@/lib/view/format';
import styles from './audit.module.css';

/** Typing is debounced, so that each letter is not a request. */
const TYPING_MS = 300;

const EVERYTHING = { who: '', action: '', outcome: '', from: '', until: '' };
type Fields = typeof EVERYTHING;

const toFilter = ({ who, action, outcome, from, until }: Fields): AuditFilterInput => ({
  who: who.trim() || undefined,
  action: action || undefined,
  outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
  fromMs: dayStartMs(from),
  // The last day is included.
  untilMs: dayStartMs(until, 1),
});

export const AuditPage = () => {
  const [fields, setFields] = useState(EVERYTHING);
  const [debounced] = useDebouncedValue(fields, TYPING_MS);
  const query = useAudit(toFilter(debounced));
  const { data, dataUpdatedAt, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <PageFrame
      title="Audit log"
      actions={
        <IconButton component="a" href={toAuditCsvUrl(toFilter(fields))} download Icon={IconDownload}>
          Save as CSV
        </IconButton>
      }
      error={error}
    >
      <Filter fields={fields} actions={data?.pages[0]?.actions ?? []} onChange={setFields} />
      <Loaded query={query} heightPx={320}>
        {({ pages }) => {
          const lines = pages.flatMap((each) => each.lines);
          return lines.length > 0 ? (
            <AuditTable lines={lines} nowMs={dataUpdatedAt} />
          ) : (
            <Empty role="status">
              <p>No entries match.</p>
              <Button variant="default" mt="sm" onClick={() => setFields(EVERYTHING)}>
                Show all
              </Button>
            </Empty>
          );
        }}
      </Loaded>
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older entries
        </Button>
      ) : null}
    </PageFrame>
  );
};

const OUTCOMES = [
  { value: '', label: 'Any' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];

interface FilterProps {
  fields: Fields;
  actions: readonly string[];
  onChange: (fields: Fields) => void;
}

const Filter = ({ fields, actions, onChange }: FilterProps) => {
  const toProps = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      onChange({ ...fields, [name]: currentTarget.value }),
  });
  return (
    <form
      className={styles.filter}
      role="search"
      aria-label="Audit log"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        label="Who"
        placeholder="E-mail address, or part of it"
        type="search"
        autoComplete="off"
        maxLength={254}
        {...toProps('who')}
      />
      <NativeSelect
        label="What"
        data={[
          { value: '', label: 'Anything' },
          ...actions.map((value) => ({ value, label: actionText(value) })),
        ]}
        {...toProps('action')}
      />
      <NativeSelect label="Outcome" data={OUTCOMES} {...toProps('outcome')} />
      <TextInput label="From" type="date" {...toProps('from')} />
      <TextInput label="Until" type="date" {...toProps('until')} />
    </form>
  );
};

interface AuditTableProps {
  lines: readonly AuditEntry[];
  /** When the entries were loaded. */
  nowMs: number;
}

const AuditTable = ({ lines, nowMs }: AuditTableProps) => (
  <Table
    label="Audit log"
    columns={[
      { label: 'When', className: 'lh-nowrap', cell: ({ atMs }) => formatExactTime(atMs, nowMs) },
      { label: 'Who', cell: ({ actor }) => actor },
      {
        label: 'What',
        cell: ({ action, outcome, details }) => (
          <>
            <Name>{actionText(action)}</Name>
            {outcome === 'refused' ? <Refused /> : null}
            {detailText(details, nowMs).map((detail) => (
              <Small key={detail}>{detail}</Small>
            ))}
          </>
        ),
      },
      { label: 'On', cell: ({ subject }) => subject },
      { label: 'From', className: 'lh-dim', cell: ({ address }) => address },
    ]}
    rows={lines}
    keyOf={({ id }) => id}
  />
);

const Refused = () => (
  <Text span ml={8} px={8} bdrs={10} bg="var(--lh-bad-ground)" c="var(--lh-silent-text)" fz={12} fw={650}>
    Refused
  </Text>
);
