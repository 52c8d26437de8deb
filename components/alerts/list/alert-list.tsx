import { Button, Checkbox, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { isWaiting } from '@/components/alert-bell/text';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { FormDialog } from '@/components/kit/dialog';
import { Failure, LoadingLines, Segments } from '@/components/kit/full-page';
import { ProblemNote } from '@/components/ui/problem-note';
import { useAlertChanges, type useAlertPages } from '@/lib/alerts/queries';
import { acknowledgeSchema } from '@/lib/alerts/schema';
import { SEVERITY_LABELS, alertText } from '@/lib/alerts/text';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { useContactOf } from '@/lib/contacts/queries';
import type { Alert } from '@/lib/rules/alert-rule';
import type { Severity } from '@/lib/rules/severity';
import { formatWhole } from '@/lib/view/format';
import styles from '../alerts.module.css';
import { LISTS, type AlertsAddress } from '../use-alerts-address';
import { AlertLine } from './alert-line';
import { NoAlerts } from './no-alerts';
import { countAlerts, toSections } from './order-alerts';
import { SelectionBar } from './selection-bar';
import { useAlertKeys } from './use-alert-keys';
import { useAlertLists, useFoundAlerts, useReadMark } from './use-alert-lists';
import { useSelection, type Selection } from './use-selection';

interface AlertListProps {
  address: AlertsAddress;
  onAddress: (change: Partial<AlertsAddress>) => void;
  isRecorded: boolean;
}

/** The alerts of a fleet: open ones on top by severity, then closed ones, newest first. */
export const AlertList = ({ address, onAddress, isRecorded }: AlertListProps) => {
  const usdot = useUsdot();
  const { list, severity, alertId } = address;
  const lists = useAlertLists(usdot, list);
  const contactOf = useContactOf(usdot);
  const lastReadId = useReadMark(usdot);
  const [query] = useSearchText();
  const found = useFoundAlerts(lists.alerts, query, contactOf);
  const foundOpen = useFoundAlerts(lists.openAlerts, query, contactOf);
  const { open, closed } = toSections(found, severity);
  const [acknowledged, setAcknowledged] = useState<Alert | null>(null);
  const shown = [...open, ...closed];
  const selection = useSelection(shown);
  const keys = useAlertKeys(shown, alertId, {
    onAcknowledge: (alert) => {
      if (selection.selected.length > 0) selection.acknowledge();
      else if (isWaiting(alert)) setAcknowledged(alert);
    },
    onSelect: selection.select,
    onSelectAll: (alert) => selection.selectAll(alert.closedMs === null ? open : closed, true),
  });
  if (!lists.isLoaded) return <NotLoaded {...lists} />;
  const toLine = (alert: Alert) => (
    <AlertLine
      key={alert.id}
      alert={alert}
      isNew={lastReadId !== null && alert.id > lastReadId && alert.acknowledgedBy === null}
      isActive={alert.id === keys.activeId}
      isSelected={selection.isSelected(alert)}
      onSelect={selection.select}
      contact={contactOf(alert.unit)}
      onAcknowledge={setAcknowledged}
    />
  );
  return (
    <div className={styles.list} onKeyDown={selection.onKeyDown}>
      <Filters address={address} open={foundOpen} onAddress={onAddress} />
      {lists.error === null ? null : <ProblemNote role="alert">{failureText(lists.error)}</ProblemNote>}
      {shown.length > 0 ? null : <NoAlerts address={address} isRecorded={isRecorded} />}
      <div {...keys.handlers}>
        <Section
          title={`${list === 'waiting' ? 'Waiting' : 'Open'} · ${open.length}`}
          alerts={open}
          selection={selection}
          toLine={toLine}
        />
        <Section title="Closed" alerts={closed} selection={selection} toLine={toLine} />
      </div>
      <SelectionBar selection={selection} />
      <Older {...lists.older} />
      {acknowledged === null ? null : (
        <AcknowledgeDialog
          alert={acknowledged}
          onDone={selection.tell}
          onClose={() => setAcknowledged(null)}
        />
      )}
    </div>
  );
};

const NotLoaded = (lists: Pick<ReturnType<typeof useAlertLists>, 'error' | 'isFetching' | 'refetch'>) =>
  lists.error === null ? (
    <ListLoading />
  ) : (
    <Failure title="The alerts could not be loaded." text={failureText(lists.error)} query={lists} />
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
  const waiting = alerts.filter(isWaiting);
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

const LIST_LABELS: Record<AlertsAddress['list'], string> = { all: 'All', waiting: 'Waiting', open: 'Open' };
const LIST_TITLES: Partial<Record<AlertsAddress['list'], string>> = {
  waiting: 'Open and not acknowledged',
  open: 'Not closed, also those that are acknowledged',
};

/** The most severe first. */
const SEVERITIES = (Object.keys(SEVERITY_LABELS) as Severity[]).reverse();

interface FiltersProps extends Pick<AlertListProps, 'address' | 'onAddress'> {
  open: readonly Alert[];
}

const Filters = ({ address: { list, severity }, open, onAddress }: FiltersProps) => {
  const show = (change: Partial<AlertsAddress>): void => onAddress({ alertId: null, ...change });
  const counts = countAlerts(open, { list, severity });
  return (
    <Group gap="8px 12px">
      <Segments
        label="Alerts to list"
        segments={LISTS.map((each) => ({
          ...{ label: LIST_LABELS[each], title: LIST_TITLES[each] },
          count: counts.ofList(each),
          isChosen: list === each,
          onChoose: () => show({ list: each }),
        }))}
      />
      <Segments
        label="Severity"
        segments={SEVERITIES.map((each) => ({
          label: SEVERITY_LABELS[each],
          count: counts.ofSeverity(each),
          isChosen: severity === each,
          onChoose: () => show({ severity: severity === each ? null : each }),
        }))}
      />
    </Group>
  );
};

interface AcknowledgeDialogProps {
  alert: Alert;
  onDone: Selection['tell'];
  onClose: () => void;
}

const AcknowledgeDialog = ({ alert, onDone, onClose }: AcknowledgeDialogProps) => {
  const { acknowledge } = useAlertChanges(useUsdot());
  const moment = useMoment();
  return (
    <FormDialog
      title="Acknowledge"
      action="Acknowledge"
      initialValues={{ note: '' }}
      schema={acknowledgeSchema}
      send={async ({ note }) => {
        await acknowledge.mutateAsync({ id: alert.id, note });
        onDone('1 alert acknowledged.', [alert]);
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

/** The server has no database; what it watches meanwhile waits in its memory. */
const isWithoutDatabase = (error: Error): boolean =>
  error instanceof ServerProblemError && error.problem?.code === 'accounts-unavailable';

/** Why alerts cannot be read, as text for a dispatcher. */
export const failureText = (error: Error): string =>
  isWithoutDatabase(error)
    ? 'This server cannot reach its database right now. The map stays live, and Linehaul goes on watching: alerts of this time appear here once the database is back.'
    : error.message;

export const ListLoading = () => <LoadingLines count={8} heightPx={40} />;
