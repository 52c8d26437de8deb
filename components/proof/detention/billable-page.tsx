'use client';

import { useMounted } from '@mantine/hooks';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { Table, type Column } from '@/components/kit/table';
import { Link } from '@/components/ui/link';
import { MISSING_TEXTS, type BillableStay } from '@/lib/proof/detention';
import { useBillable } from '@/lib/proof/detention-queries';
import { minutesText, moneyText } from '@/lib/proof/detention-text';
import { betweenText } from '@/lib/loads/text';
import { formatCount } from '@/lib/view/format';
import styles from './detention.module.css';
import { ProofLinks } from './proof-links';
import { StatementButton } from '@/components/statements/statement-button';

/** Stays beyond free time that no statement is about, the oldest first. */
export const BillablePage = () => {
  // Times are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />} isScrolled>
      <PageHead title="Visits to bill" about={<ProofLinks here="billable" />} />
      {isMounted ? <Billable /> : LOADING}
    </FullPage>
  );
};

const LOADING = <LoadingLines label="Loading the visits…" />;

const toColumns = (usdot: string, nowMs: number): Column<BillableStay>[] => [
  {
    label: 'Truck',
    cell: ({ name, customer, reference, loadId }) => (
      <>
        <b>{name}</b>
        <span className={styles.note}>
          {loadId === null ? null : <Link href={`/fleets/${usdot}/loads/${loadId}`}>{reference}</Link>}
          {customer === '' ? null : ` ${customer}`}
        </span>
      </>
    ),
  },
  { label: 'Place', cell: ({ siteName }) => siteName },
  {
    label: 'Stay',
    cell: ({ arrivedAfterMs, arrivedMs, leftMs, leftByMs, timeZone }) => (
      <>
        Arrived {betweenText(arrivedAfterMs, arrivedMs, nowMs, timeZone)}
        <span className={styles.note}>left {betweenText(leftMs, leftByMs, nowMs, timeZone)}</span>
      </>
    ),
  },
  {
    label: 'About',
    kind: 'number',
    cell: ({ billableMin, amountCents }) =>
      billableMin === null || amountCents === null ? (
        '–'
      ) : (
        <>
          {moneyText(amountCents)}
          <span className={styles.note}>{minutesText(billableMin)}</span>
        </>
      ),
  },
  {
    label: 'Missing',
    cell: ({ missing }) =>
      missing.length === 0 ? (
        <span className="lh-dim">nothing</span>
      ) : (
        missing.map((each) => (
          <span key={each} className={styles.note}>
            {MISSING_TEXTS[each]}
          </span>
        ))
      ),
  },
];

const Billable = () => {
  const usdot = useUsdot();
  const query = useBillable(usdot);
  return (
    <Answered query={query} failure="The visits could not be loaded." loading={LOADING}>
      {({ stays, nowMs, hasMore }) =>
        stays.length === 0 ? (
          <Message title="No visits to bill.">
            <p>
              Visits of the last 90 days that went beyond free time are here until there is a statement about
              them.
            </p>
          </Message>
        ) : (
          <div className={styles.page}>
            <p>
              {formatCount(stays.length, 'visit')} of the last 90 days went beyond free time, the oldest first
              {hasMore ? '; more follow these' : ''}. A statement looks at each fix, and may come to a little
              less.
            </p>
            <Table
              label="Visits to bill"
              columns={toColumns(usdot, nowMs)}
              rows={stays}
              keyOf={({ unit, siteId, arrivedMs }) => `${unit} ${siteId} ${arrivedMs}`}
              actions={({ unit, siteId, arrivedMs, loadId, position, name, siteName }) => (
                <StatementButton
                  stay={loadId === null ? { unit, siteId, arrivedMs } : { loadId, position }}
                  about={`truck ${name} at ${siteName}`}
                />
              )}
            />
          </div>
        )
      }
    </Answered>
  );
};
