'use client';

import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FormDialog } from '@/components/kit/dialog';
import { Answered, FullPage, LoadingLines, Message, PageHead, Segments } from '@/components/kit/full-page';
import { useOpenDialog } from '@/components/kit/page-dialog';
import { RowAction, Table, type Column } from '@/components/kit/table';
import { StatementButton } from '@/components/statements/statement-button';
import { useAnnounce } from '@/components/ui/announcer';
import { Link } from '@/components/ui/link';
import { toQuery, useAddress } from '@/components/ui/use-address';
import {
  BILLABLE_LISTS,
  MISSING_TEXTS,
  type BillableList,
  type BillableStay,
  type StayRef,
} from '@/lib/proof/detention';
import { useBillable, useDismissal } from '@/lib/proof/detention-queries';
import { minutesText, moneyText } from '@/lib/proof/detention-text';
import { betweenText } from '@/lib/loads/text';
import { formatCount, formatMoment } from '@/lib/view/format';
import styles from './detention.module.css';
import { ProofLinks } from './proof-links';

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

const toColumns = (usdot: string, nowMs: number, list: BillableList): Column<BillableStay>[] => [
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
        <span className={styles.note}>Left {betweenText(leftMs, leftByMs, nowMs, timeZone)}</span>
      </>
    ),
  },
  {
    label: 'Estimate',
    kind: 'number',
    cell: ({ billableMin, amountCents }) =>
      billableMin === null || amountCents === null ? (
        '–'
      ) : (
        <>
          <b>{moneyText(amountCents)}</b>
          <span className={`${styles.note} lh-nowrap`}>{minutesText(billableMin)}</span>
        </>
      ),
  },
  list === 'dismissed' ? dismissedColumn(nowMs) : MISSING_COLUMN,
];

const MISSING_COLUMN: Column<BillableStay> = {
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
};

const dismissedColumn = (nowMs: number): Column<BillableStay> => ({
  label: 'Not billed',
  cell: ({ dismissed }) =>
    dismissed === null ? null : (
      <>
        {formatMoment(dismissed.atMs, nowMs)}
        <span className={styles.note}>by {dismissed.by}</span>
      </>
    ),
});

const LIST_LABELS: Readonly<Record<BillableList, string>> = {
  open: 'To bill',
  dismissed: 'Not billed',
  ownPlaces: 'Yards, fuel stops',
};

const LIST_NOTES: Readonly<Record<BillableList, string>> = {
  open: 'A visit without a load is here if its site has terms of its own. A statement looks at each fix, and may come to a little less.',
  dismissed: 'These are left out. Each can be put back.',
  ownPlaces:
    'These are at sites of the kinds yard, fuel stop and no-go area, so no customer is billed for them. If one is a customer’s, change the kind of the site.',
};

const toList = (search: URLSearchParams): { list: BillableList } => ({
  list: BILLABLE_LISTS.find((list) => list === search.get('list')) ?? 'open',
});

const toStay = ({ unit, siteId, arrivedMs, loadId, position }: BillableStay): StayRef =>
  loadId === null ? { unit, siteId, arrivedMs } : { loadId, position, unit, arrivedMs };

const Billable = () => {
  const usdot = useUsdot();
  const [{ list }, change] = useAddress({
    parse: toList,
    toSearch: (value) => toQuery({ list: value.list === 'open' ? null : value.list }),
  });
  const query = useBillable(usdot, list);
  const open = useOpenDialog();
  return (
    <div className={styles.page}>
      <Segments
        label="Visits to list"
        segments={BILLABLE_LISTS.map((each) => ({
          label: LIST_LABELS[each],
          count: query.data?.counts[each] ?? '–',
          isChosen: each === list,
          onChoose: () => change({ list: each }),
        }))}
      />
      <Answered query={query} failure="The visits could not be loaded." loading={LOADING}>
        {({ stays, nowMs, hasMore }) =>
          stays.length === 0 ? (
            NONE[list]
          ) : (
            <>
              <p>
                {formatCount(stays.length, 'visit')} of the last 90 days went beyond free time
                {hasMore ? null : <>, about {totalOf(stays)} in all</>}, the oldest first
                {hasMore ? '; more follow these' : ''}. {LIST_NOTES[list]}
              </p>
              <Table
                label="Visits to bill"
                columns={toColumns(usdot, nowMs, list)}
                rows={stays}
                keyOf={({ unit, siteId, arrivedMs }) => `${unit} ${siteId} ${arrivedMs}`}
                actions={(stay) => (
                  <div className={styles.actions}>
                    <StatementButton stay={toStay(stay)} about={aboutOf(stay)} />
                    <RowAction
                      label={stay.dismissed === null ? 'Do not bill…' : 'Put back…'}
                      of={aboutOf(stay)}
                      onPress={() => open((onClose) => <Dismiss stay={stay} onClose={onClose} />)}
                    />
                  </div>
                )}
              />
            </>
          )
        }
      </Answered>
    </div>
  );
};

const totalOf = (stays: readonly BillableStay[]): string =>
  moneyText(stays.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0));

const aboutOf = ({ name, siteName }: BillableStay): string => `truck ${name} at ${siteName}`;

const NONE: Readonly<Record<BillableList, ReactNode>> = {
  open: (
    <Message title="No visits to bill.">
      <p>
        Visits of the last 90 days that went beyond free time are here until there is a statement about them.
      </p>
    </Message>
  ),
  dismissed: (
    <Message title="No visits are left out.">
      <p>Do not bill… moves a visit here from the visits to bill.</p>
    </Message>
  ),
  ownPlaces: <Message title="No visit to a yard, fuel stop or no-go area went beyond free time." />,
};

const Dismiss = ({ stay, onClose }: { stay: BillableStay; onClose: () => void }) => {
  const announce = useAnnounce();
  const { mutateAsync } = useDismissal(useUsdot());
  const isDismissed = stay.dismissed === null;
  return (
    <FormDialog
      title={isDismissed ? 'Do not bill this visit?' : 'Put this visit back?'}
      action={isDismissed ? 'Do not bill it' : 'Put it back'}
      send={async () => {
        await mutateAsync({ stay: toStay(stay), isDismissed });
        announce(isDismissed ? 'The visit is not billed' : 'The visit is listed to bill');
      }}
      onClose={onClose}
    >
      <p>
        <b>{stay.name}</b> at {stay.siteName}.{' '}
        {isDismissed
          ? 'It moves to the list Not billed, with your name. It can be put back from there.'
          : 'It is listed with the visits to bill again.'}
      </p>
    </FormDialog>
  );
};
