'use client';

import { Button } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useAlertChanges, useAlertPages, useNewestAlerts } from '@/lib/alerts/queries';
import type { Alert } from '@/lib/rules/alert-rule';
import { AcknowledgeDialog } from './acknowledge-dialog';
import { AlertFilters } from './alert-filters';
import { AlertLine } from './alert-line';
import styles from '../alerts-page.module.css';
import { ListFailure, ListLoading, failureText } from './list-states';
import { NoAlerts } from './no-alerts';
import { toSections } from './order-alerts';
import type { AlertsAddress } from '../use-alerts-address';
import { useAlertKeys } from './use-alert-keys';

/** Pages of open alerts that are read without a click. */
const OPEN_PAGES = 10;

interface AlertListProps {
  address: AlertsAddress;
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

/**
 * Marks what comes as read while the page is in front. Returns the newest alert that was read before the page was opened,
 * null until that is known.
 */
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
export const AlertList = ({ address, isRecorded }: AlertListProps) => {
  const usdot = useUsdot();
  const { isOpenOnly, severity, alertId } = address;
  const lists = useAlertLists(usdot, isOpenOnly);
  const lastReadId = useReadMark(usdot);
  const { open, closed } = toSections(lists.alerts, severity);
  const [acknowledged, setAcknowledged] = useState<Alert | null>(null);
  const keys = useAlertKeys([...open, ...closed], alertId, setAcknowledged);
  if (!lists.isLoaded)
    return lists.error === null ? (
      <ListLoading />
    ) : (
      <ListFailure
        title="The alerts could not be loaded."
        error={lists.error}
        isFetching={lists.isFetching}
        onRetry={() => void lists.refetch()}
      />
    );
  const toLines = (alerts: readonly Alert[]) =>
    alerts.map((alert) => (
      <AlertLine
        key={alert.id}
        alert={alert}
        isNew={lastReadId !== null && alert.id > lastReadId}
        isActive={alert.id === keys.activeId}
        onAcknowledge={setAcknowledged}
      />
    ));
  return (
    <div className={styles.list}>
      <AlertFilters address={address} open={lists.openAlerts} />
      {lists.error === null ? null : <ProblemNote role="alert">{failureText(lists.error)}</ProblemNote>}
      {open.length + closed.length === 0 ? <NoAlerts address={address} isRecorded={isRecorded} /> : null}
      <div {...keys.handlers}>
        <Section title={`Open · ${open.length}`}>{toLines(open)}</Section>
        <Section title="Closed">{toLines(closed)}</Section>
      </div>
      {lists.older.hasNextPage ? (
        <Button
          className={styles.older}
          variant="default"
          loading={lists.older.isFetchingNextPage}
          onClick={() => void lists.older.fetchNextPage()}
        >
          Show older alerts
        </Button>
      ) : null}
      {acknowledged === null ? null : (
        <AcknowledgeDialog alert={acknowledged} onClose={() => setAcknowledged(null)} />
      )}
    </div>
  );
};

const Section = ({ title, children }: { title: string; children: React.ReactNode[] }) =>
  children.length === 0 ? null : (
    <section aria-label={title}>
      <h2 className="lh-head">{title}</h2>
      <ul className={styles.lines}>{children}</ul>
    </section>
  );
