'use client';

import { Button, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMounted } from '@mantine/hooks';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, HeadActions, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { Table, type Column } from '@/components/kit/table';
import { Link } from '@/components/ui/link';
import { saveCsv } from '@/components/ui/save-file';
import { toQuery, useAddress } from '@/components/ui/use-address';
import { toStatementsCsv, type StatementRow } from '@/lib/proof/detention';
import { useStatements } from '@/lib/proof/detention-queries';
import { minutesText, moneyText } from '@/lib/proof/detention-text';
import { dayOf } from '@/lib/trips/days';
import { formatCount, formatMoment } from '@/lib/view/format';
import styles from './detention.module.css';
import { ProofLinks } from './proof-links';

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

const thisMonth = (): string =>
  dayOf(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone).slice(0, 7);

const MONTH_NAME = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });
/** The select has as many, and the one of the address. Not every browser has a field for months. */
const MONTHS = 36;

const toMonths = (shown: string): string[] => {
  const [year, month] = thisMonth().split('-').map(Number) as [number, number];
  const last = Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - i)).toISOString().slice(0, 7),
  );
  return [...new Set([...last, shown])].sort().reverse();
};

const useMonth = () =>
  useAddress<{ month: string }>({
    parse: (search) => {
      const month = search.get('month') ?? '';
      return { month: MONTH.test(month) ? month : thisMonth() };
    },
    toSearch: ({ month }) => toQuery({ month: month === thisMonth() ? null : month }),
  });

/** The detention statements of a month. */
export const StatementsPage = () => {
  // Times and the address are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />} isScrolled>
      {isMounted ? <Statements /> : <PageHead title="Statements by month" />}
    </FullPage>
  );
};

const toColumns = (rows: readonly StatementRow[]): Column<StatementRow>[] => [
  {
    label: 'Statement',
    cell: ({ number, revision, issuedMs, timeZone }) => (
      <>
        <a className="lh-link" href={`/d/${number}`}>
          <b>{number}</b>
        </a>
        <span className={styles.note}>
          {revision > 1 ? `Revision ${revision}, ` : ''}
          {formatMoment(issuedMs, 0, timeZone)}
        </span>
      </>
    ),
    total: formatCount(rows.length, 'statement'),
  },
  {
    label: 'Truck',
    cell: ({ name, customer, reference }) => (
      <>
        <b>{name}</b>
        <span className={styles.note}>{[reference, customer].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { label: 'Place', cell: ({ siteName }) => siteName },
  { label: 'Arrived', cell: ({ arrivedMs, timeZone }) => formatMoment(arrivedMs, 0, timeZone) },
  {
    label: 'Billable',
    kind: 'number',
    cell: ({ billableMin }) => minutesText(billableMin),
    total: minutesText(rows.reduce((sum, { billableMin }) => sum + billableMin, 0)),
  },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ amountCents }) => moneyText(amountCents),
    total: moneyText(rows.reduce((sum, { amountCents }) => sum + amountCents, 0)),
  },
];

const Statements = () => {
  const usdot = useUsdot();
  const [{ month }, show] = useMonth();
  const query = useStatements(usdot, month);
  const rows = query.data ?? [];
  return (
    <>
      <PageHead title="Statements by month" about={<ProofLinks here="statements" />}>
        <HeadActions>
          <NativeSelect
            aria-label="Month"
            value={month}
            data={toMonths(month).map((value) => ({ value, label: MONTH_NAME.format(Date.parse(value)) }))}
            onChange={({ currentTarget: { value } }) => show({ month: value })}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
            disabled={rows.length === 0}
            onClick={() => saveCsv(`linehaul-detention-${usdot}-${month}.csv`, toStatementsCsv(rows))}
          >
            CSV
          </Button>
        </HeadActions>
      </PageHead>
      <Answered
        query={query}
        failure="The statements could not be loaded."
        loading={<LoadingLines label="Loading the statements…" />}
      >
        {(statements) =>
          statements.length === 0 ? (
            <Message title="No statements about stays in this month.">
              <p>
                Issue them from the{' '}
                <Link href={`/fleets/${usdot}/proof/billable`} prefetch={false}>
                  visits to bill
                </Link>
                .
              </p>
            </Message>
          ) : (
            <div className={styles.page}>
              <Table
                label="Statements"
                columns={toColumns(statements)}
                rows={statements}
                keyOf={({ number }) => number}
              />
            </div>
          )
        }
      </Answered>
    </>
  );
};
