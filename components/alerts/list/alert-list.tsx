import { Button, Checkbox, Group, Textarea } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useMoment } from '@/components/alert-bell/use-moment';
import { createWordMatcher } from '@/lib/base/text/text';
import { useContactOf } from '@/lib/contacts/queries';
import { contactText } from '@/lib/contacts/text';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { toMapLink } from '@/components/fleet-state/map-link';
import { FormDialog } from '@/components/kit/dialog';
import { Failure, LoadingLines, Message, Segments } from '@/components/kit/full-page';
import { useAnnounce } from '@/components/ui/announcer';
import { ProblemNote } from '@/components/ui/problem-note';
import { useAlertChanges, useAlertPages, useAlertRules, useNewestAlerts } from '@/lib/alerts/queries';
import { acknowledgeSchema } from '@/lib/alerts/schema';
import { type Severity } from '@/lib/rules/severity';
import { SEVERITY_LABELS, alertText } from '@/lib/alerts/text';
import { formatWhole } from '@/lib/view/format';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import type { Alert } from '@/lib/rules/alert-rule';
import { AlertLine } from './alert-line';
import styles from '../alerts.module.css';
import { toSections } from './order-alerts';
import { toAlertsSearch, type AlertsAddress } from '../use-alerts-address';
import { SelectionBar } from './selection-bar';
import { useAlertKeys } from './use-alert-keys';
import { useSelection, type Selection } from './use-selection';

/** Pages of open alerts that are read without a click. */
const OPEN_PAGES = 10;

interface AlertListProps {
  address: AlertsAddress;
  onAddress: (change: Partial<AlertsAddress>) => void;
  isRecorded: boolean;
}

/** The pages of open alerts and of all, and whether there are older ones. */
const useAlertLists = (usdot: string, isOpenOnly: boolean) => {
  const open = useAlertPages(usdot, true);
  const all = useAlertPages(usdot, false);
  const { hasNextPage, isFetching, fetchNextPage } = open;
  const hasMoreOpen = hasNextPage && (open.data?.pages.length ?? 0) < OPEN_PAGES;
  useEffect(() => {
    if (hasMoreOpen && !isFetching) void fetchNextPage();
  }, [hasMoreOpen, isFetching, fetchNextPage]);
  const pages = [...(open.data?.pages ?? []), ...(isOpenOnly ? [] : (all.data?.pages ?? []))];
  return {
    isLoaded: open.data !== undefined && (isOpenOnly || all.data !== undefined),
    openAlerts: open.data?.pages.flatMap(({ alerts }) => alerts) ?? [],
    alerts: pages.flatMap(({ alerts }) => alerts),
    // A failure is shown at once, also during the retries.
    error: open.error ?? all.error ?? open.failureReason ?? all.failureReason,
    older: isOpenOnly ? open : all,
    refetch: () => Promise.all([open.refetch(), all.refetch()]),
    isFetching: isFetching || all.isFetching,
  };
};

/** The alerts whose text, rule, note or contacts have each word of a query. */
const useFoundAlerts = (
  alerts: readonly Alert[],
  query: string,
  contactOf: ReturnType<typeof useContactOf>,
): readonly Alert[] => {
  const moment = useMoment();
  if (query.trim() === '') return alerts;
  const matches = createWordMatcher(query);
  return alerts.filter((alert) => {
    const { severity, ruleName, unit, note } = alert;
    const contact = contactText(contactOf(unit));
    return matches(
      [alertText(alert, moment), SEVERITY_LABELS[severity], ruleName, unit, note, contact].join(' '),
    );
  });
};

/** Marks what comes as read while the page is in front; returns the newest alert read before, null until it is known. */
const useReadMark = (usdot: string): number | null => {
  const { data } = useNewestAlerts(usdot);
  const { mutate: markRead } = useAlertChanges(usdot).markRead;
  const isInFront = useDocumentVisibility() === 'visible';
  const [lastReadId, setLastReadId] = useState<number | null>(null);
  if (data !== undefined && lastReadId === null) setLastReadId(data.alerts[data.unread]?.id ?? 0);
  const unreadId = data === undefined || data.unread === 0 ? null : (data.alerts[0]?.id ?? null);
  useEffect(() => {
    if (isInFront && unreadId !== null) markRead(unreadId);
  }, [isInFront, unreadId, markRead]);
  return lastReadId;
};

/** The alerts of a fleet: open ones on top by severity, then closed ones, newest first. */
export const AlertList = ({ address, onAddress, isRecorded }: AlertListProps) => {
  const usdot = useUsdot();
  const { isOpenOnly, severity, alertId } = address;
  const lists = useAlertLists(usdot, isOpenOnly);
  const contactOf = useContactOf(usdot);
  const lastReadId = useReadMark(usdot);
  const [query, setQuery] = useSearchText();
  const found = useFoundAlerts(lists.alerts, query, contactOf);
  const { open, closed } = toSections(found, severity);
  const [acknowledged, setAcknowledged] = useState<Alert | null>(null);
  const shown = [...open, ...closed];
  const selection = useSelection(shown);
  const keys = useAlertKeys(shown, alertId, {
    onAcknowledge: (alert) => {
      if (selection.selected.length > 0) selection.acknowledge();
      else if (alert.acknowledgedBy === null) setAcknowledged(alert);
    },
    onSelect: selection.select,
    onSelectAll: (alert) => selection.selectAll(alert.closedMs === null ? open : closed, true),
  });
  if (!lists.isLoaded)
    return lists.error === null ? (
      <ListLoading />
    ) : (
      <Failure title="The alerts could not be loaded." text={failureText(lists.error)} query={lists} />
    );
  const toLine = (alert: Alert) => (
    <AlertLine
      key={alert.id}
      alert={alert}
      isNew={lastReadId !== null && alert.id > lastReadId}
      isActive={alert.id === keys.activeId}
      isSelected={selection.isSelected(alert)}
      onSelect={selection.select}
      contact={contactOf(alert.unit)}
      onAcknowledge={setAcknowledged}
    />
  );
  return (
    <div className={styles.list} onKeyDown={selection.onKeyDown}>
      <Filters address={address} open={lists.openAlerts} onAddress={onAddress} />
      {lists.error === null ? null : <ProblemNote role="alert">{failureText(lists.error)}</ProblemNote>}
      {shown.length > 0 ? null : query.trim() === '' ? (
        <NoAlerts address={address} isRecorded={isRecorded} />
      ) : (
        <NoMatch query={query.trim()} onClear={() => setQuery('')} />
      )}
      <div {...keys.handlers}>
        <Section title={`Open · ${open.length}`} alerts={open} selection={selection} toLine={toLine} />
        <Section title="Closed" alerts={closed} selection={selection} toLine={toLine} />
      </div>
      <SelectionBar selection={selection} />
      <Older {...lists.older} />
      {acknowledged === null ? null : (
        <AcknowledgeDialog alert={acknowledged} onClose={() => setAcknowledged(null)} />
      )}
    </div>
  );
};

const NoMatch = ({ query, onClear }: { query: string; onClear: () => void }) => (
  <Message title={`No alert in this list matches “${query}”.`}>
    <Button variant="default" onClick={onClear}>
      Clear search
    </Button>
  </Message>
);

const Older = ({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: Pick<ReturnType<typeof useAlertPages>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>) =>
  hasNextPage ? (
    <Button mx="auto" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Show older alerts
    </Button>
  ) : null;

interface SectionProps {
  title: string;
  alerts: readonly Alert[];
  selection: Selection;
  toLine: (alert: Alert) => React.ReactNode;
}

const Section = ({ title, alerts, selection, toLine }: SectionProps) => {
  const count = alerts.filter(selection.isSelected).length;
  const waiting = alerts.filter(
    ({ closedMs, acknowledgedBy }) => closedMs === null && acknowledgedBy === null,
  );
  return alerts.length === 0 ? null : (
    <section aria-label={title}>
      <div className={styles.sectionHead}>
        <Checkbox
          aria-label={`Select all: ${title}`}
          title="Select all of this list"
          checked={count === alerts.length}
          indeterminate={count > 0 && count < alerts.length}
          onChange={({ currentTarget }) => selection.selectAll(alerts, currentTarget.checked)}
        />
        <h2 className="lh-head">{title}</h2>
        {waiting.length > 1 && selection.selected.length === 0 ? (
          <Button
            className={styles.takeAll}
            size="xs"
            variant="default"
            onClick={() => {
              // Where it fails, they stay selected.
              selection.selectAll(waiting, true);
              selection.acknowledge(waiting);
            }}
          >
            Acknowledge all {formatWhole(waiting.length)}
          </Button>
        ) : null}
      </div>
      <ul className="lh-list">{alerts.map(toLine)}</ul>
    </section>
  );
};

/** The most severe first. */
const SEVERITIES = (Object.keys(SEVERITY_LABELS) as Severity[]).reverse();

interface FiltersProps extends Pick<AlertListProps, 'address' | 'onAddress'> {
  open: readonly Alert[];
}

const Filters = ({ address: { isOpenOnly, severity }, open, onAddress }: FiltersProps) => {
  const show = (change: Partial<AlertsAddress>): void => onAddress({ alertId: null, ...change });
  return (
    <Group gap="8px 12px">
      <Segments
        label="Alerts to list"
        segments={[
          { label: 'All', isChosen: !isOpenOnly, onChoose: () => show({ isOpenOnly: false }) },
          {
            label: 'Open',
            count: open.length,
            isChosen: isOpenOnly,
            onChoose: () => show({ isOpenOnly: true }),
          },
        ]}
      />
      <Segments
        label="Severity"
        segments={SEVERITIES.map((each) => ({
          label: SEVERITY_LABELS[each],
          count: open.filter((alert) => alert.severity === each).length,
          isChosen: severity === each,
          onChoose: () => show({ severity: severity === each ? null : each }),
        }))}
      />
    </Group>
  );
};

const AcknowledgeDialog = ({ alert, onClose }: { alert: Alert; onClose: () => void }) => {
  const { acknowledge } = useAlertChanges(useUsdot());
  const moment = useMoment();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Acknowledge"
      action="Acknowledge"
      initialValues={{ note: '' }}
      schema={acknowledgeSchema}
      send={async ({ note }) => {
        await acknowledge.mutateAsync({ id: alert.id, note });
        announce('Acknowledged.');
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>{alertText(alert, moment)}.</p>
          <Textarea
            label="Note"
            description="For your colleagues: what you do about it. You can leave it empty."
            rows={2}
            data-autofocus
            {...field('note')}
          />
        </>
      )}
    </FormDialog>
  );
};

const EVERYTHING = { tab: 'alerts', isOpenOnly: false, severity: null, alertId: null } as const;

/** The message in place of a list without alerts, and the way to some. */
const NoAlerts = ({ address, isRecorded }: Omit<AlertListProps, 'onAddress'>) => {
  const usdot = useUsdot();
  const { data } = useAlertRules(usdot);
  const link = (search: string) => toMapLink(`/fleets/${usdot}/alerts${search}`);
  if (address.isOpenOnly || address.severity !== null)
    return (
      <Message title={address.isOpenOnly ? 'No open alert matches.' : 'No alert matches.'}>
        <Button component={Link} variant="default" {...link(toAlertsSearch(EVERYTHING))}>
          Show all alerts
        </Button>
      </Message>
    );
  if (!isRecorded || data === undefined) return <Message title="No alerts." />;
  const count = data.rules.filter(({ isEnabled }) => isEnabled).length;
  if (count > 0)
    return (
      <Message title="No alerts so far.">
        <p>
          {count === 1 ? 'One rule watches' : `${count} rules watch`} this fleet. What they find is listed
          here, and you hear of it as you choose.
        </p>
      </Message>
    );
  return (
    <Message title="Nothing is watched yet.">
      <p>
        Tell Linehaul what matters: a truck that arrives at a customer, vanishes on the road, or stands too
        long. It watches all day, and lists here what it finds.
      </p>
      <Button component={Link} {...link(toAlertsSearch({ ...EVERYTHING, tab: 'rules' }))}>
        Make the first rule
      </Button>
    </Message>
  );
};

/** The server has no database; what it watches meanwhile waits in its memory. */
const isWithoutDatabase = (error: Error): boolean =>
  error instanceof ServerProblemError && error.problem?.code === 'accounts-unavailable';

/** Why alerts cannot be read, as text for a dispatcher. */
export const failureText = (error: Error): string =>
  isWithoutDatabase(error)
    ? 'This server cannot reach its database right now. The map stays live, and Linehaul goes on watching: alerts of this time appear here once the database is back.'
    : error.message;

export const ListLoading = () => <LoadingLines count={8} heightPx={40} />;
