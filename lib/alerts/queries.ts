import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { readAgain, useChange } from '@/lib/browser/change';
import { PERSISTENT, ServerProblemError, exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import {
  alertAnswer,
  alertPageAnswer,
  alertsChangeAnswer,
  ruleAnswer,
  rulePreviewAnswer,
  rulesAnswer,
} from './answers';
import type { AlertRuleInput } from '@/lib/rules/alert-rule';
import type { AlertRuleChange, AlertsChange } from './schema';

/** How often alerts are read while no answer says that there are new ones, as in a hidden tab. */
const ALERTS_EVERY_MS = 10_000;
/** The alerts of a version are written about when it is published. */
const WRITTEN_AFTER_MS = 400;
/** A week of a fleet is replayed for a preview. */
const PREVIEW_WITHIN_MS = 5 * 60_000;

export const toUrl = (usdot: string, path: string): string =>
  `/api/fleets/${encodeURIComponent(usdot)}/${path}`;
const alertsKey = (usdot: string) => ['fleets', usdot, 'alerts'];
const rulesKey = (usdot: string) => ['fleets', usdot, 'alert rules'];

const newestAlertsOptions = (usdot: string) =>
  queryOptions({
    ...PERSISTENT,
    queryKey: [...alertsKey(usdot), 'newest'],
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'alerts'), alertPageAnswer, { signal }),
    refetchInterval: ALERTS_EVERY_MS,
    // A sound and a notification are wanted most while another window is in front.
    refetchIntervalInBackground: true,
  });

export const useNewestAlerts = (usdot: string) => useQuery(newestAlertsOptions(usdot));

/** The unacknowledged open alerts, the most severe first. */
export const useWaitingList = (usdot: string) =>
  useQuery({
    ...PERSISTENT,
    queryKey: [...alertsKey(usdot), 'waiting'],
    queryFn: ({ signal }) => fetchJson(`${toUrl(usdot, 'alerts')}?waiting=true`, alertPageAnswer, { signal }),
    refetchInterval: ALERTS_EVERY_MS,
  });

/** Reads all lists of a fleet's alerts again after each poll that opened or closed some. */
export const useAlertsOfRevision = (usdot: string, alertsRevision: number): void => {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => void readAgain(client, alertsKey(usdot));
    const timer = setTimeout(refetch, WRITTEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, usdot, alertsRevision]);
};

const alertPagesOptions = (usdot: string, isOpenOnly: boolean) =>
  infiniteQueryOptions({
    ...PERSISTENT,
    queryKey: [...alertsKey(usdot), 'pages', isOpenOnly],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({
        ...(pageParam !== null && { before: String(pageParam) }),
        ...(isOpenOnly && { open: 'true' }),
      });
      return fetchJson(`${toUrl(usdot, 'alerts')}?${query.toString()}`, alertPageAnswer, { signal });
    },
    // Others acknowledge alerts, too.
    refetchInterval: ALERTS_EVERY_MS,
    initialPageParam: null as number | null,
    getNextPageParam: ({ alerts, hasMore }) => (hasMore ? (alerts.at(-1)?.id ?? null) : null),
  });

/** The alerts of a fleet, newest first, page by page; `isOpenOnly`: those that have not closed. */
export const useAlertPages = (usdot: string, isOpenOnly: boolean) =>
  useInfiniteQuery(alertPagesOptions(usdot, isOpenOnly));

/** Changes of alerts. They throw ServerUnreachableError, ServerProblemError. */
export const useAlertChanges = (usdot: string) => ({
  acknowledge: useChange(alertsKey(usdot), ({ id, note }: { id: number; note: string }) =>
    exchangeJson('POST', toUrl(usdot, `alerts/${id}/acknowledge`), { note }, alertAnswer),
  ),
  changeAll: useChange(alertsKey(usdot), (input: AlertsChange) =>
    exchangeJson('POST', toUrl(usdot, 'alerts/change'), input, alertsChangeAnswer),
  ),
  // No line of a list changes.
  markRead: useChange(newestAlertsOptions(usdot).queryKey, (lastAlertId: number) =>
    sendJson('POST', toUrl(usdot, 'alerts/read'), { lastAlertId }),
  ),
});

/** The rules of a fleet and the viewer's own. */
export const useAlertRules = (usdot: string) =>
  useQuery({
    ...PERSISTENT,
    queryKey: rulesKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'alert-rules'), rulesAnswer, { signal }),
  });

/** Changes of rules. They throw ServerUnreachableError, ServerProblemError. */
export const useRuleChanges = (usdot: string) => {
  const url = toUrl(usdot, 'alert-rules');
  return {
    add: useChange(rulesKey(usdot), (rule: AlertRuleInput) => exchangeJson('POST', url, rule, ruleAnswer)),
    change: useChange(rulesKey(usdot), ({ id, change }: { id: number; change: AlertRuleChange }) =>
      exchangeJson('PATCH', `${url}/${id}`, change, ruleAnswer),
    ),
    remove: useChange(rulesKey(usdot), (id: number) => sendJson('DELETE', `${url}/${id}`, {})),
  };
};

/** A preview of a rule: the alerts that it would have opened. It throws ServerUnreachableError, ServerProblemError. */
export const useRulePreview = (usdot: string) =>
  useMutation({
    // It is a question, which a busy server answers a moment later.
    retry: (failures, error) =>
      failures < 3 && error instanceof ServerProblemError && error.problem?.code === 'history-busy',
    mutationFn: ({ rule, timeoutMs = PREVIEW_WITHIN_MS }: { rule: AlertRuleInput; timeoutMs?: number }) =>
      fetchJson(toUrl(usdot, 'alert-rules/preview'), rulePreviewAnswer, {
        method: 'POST',
        body: JSON.stringify(rule),
        timeoutMs,
      }),
  });
