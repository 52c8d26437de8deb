import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { isWaiting } from '@/components/alert-bell/text';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useAlertChanges, useAlertPages, useNewestAlerts } from '@/lib/alerts/queries';
import { SEVERITY_LABELS, alertText } from '@/lib/alerts/text';
import type { useContactOf } from '@/lib/contacts/queries';
import { contactText } from '@/lib/contacts/text';
import type { Alert } from '@/lib/rules/alert-rule';
import { toTextMatcher } from '@/lib/view/search';
import type { AlertsAddress } from '../use-alerts-address';

/** Pages of open alerts that are read without a click. */
const OPEN_PAGES = 10;

/** The alerts of a list, the open ones of all lists, and whether there are older ones. */
export const useAlertLists = (usdot: string, list: AlertsAddress['list']) => {
  const isOpenOnly = list !== 'all';
  const open = useAlertPages(usdot, true);
  const all = useAlertPages(usdot, false);
  const { hasNextPage, isFetching, fetchNextPage } = open;
  const hasMoreOpen = hasNextPage && (open.data?.pages.length ?? 0) < OPEN_PAGES;
  useEffect(() => {
    if (hasMoreOpen && !isFetching) void fetchNextPage();
  }, [hasMoreOpen, isFetching, fetchNextPage]);
  const pages = [...(open.data?.pages ?? []), ...(isOpenOnly ? [] : (all.data?.pages ?? []))];
  const alerts = pages.flatMap((page) => page.alerts);
  return {
    isLoaded: open.data !== undefined && (isOpenOnly || all.data !== undefined),
    openAlerts: open.data?.pages.flatMap(({ alerts }) => alerts) ?? [],
    alerts: list === 'waiting' ? alerts.filter(isWaiting) : alerts,
    // A failure is shown at once, also during the retries.
    error: open.error ?? all.error ?? open.failureReason ?? all.failureReason,
    older: isOpenOnly ? open : all,
    refetch: () => Promise.all([open.refetch(), all.refetch()]),
    isFetching: isFetching || all.isFetching,
  };
};

/** The alerts whose text, rule, note or contacts have each word of a query. */
export const useFoundAlerts = (
  alerts: readonly Alert[],
  query: string,
  contactOf: ReturnType<typeof useContactOf>,
): readonly Alert[] => {
  const moment = useMoment();
  if (query.trim() === '') return alerts;
  const matches = toTextMatcher(query);
  return alerts.filter((alert) => {
    const { severity, ruleName, unit, note } = alert;
    const contact = contactText(contactOf(unit));
    return matches([
      alertText(alert, moment),
      SEVERITY_LABELS[severity],
      ...[ruleName, unit, note ?? '', contact],
    ]);
  });
};

/** Marks what comes as read while the page is in front; returns the newest alert read before, null until it is known. */
export const useReadMark = (usdot: string): number | null => {
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
