import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchJson, readJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
import { alertAnswer, alertPageAnswer, ruleAnswer, rulePreviewAnswer, rulesAnswer } from './answers';
import type { RulePreview, Alert, AlertRule, AlertRuleInput } from '@/lib/rules/alert-rule';
import type { AlertRuleChange } from './schema';

/** How often alerts are read while no answer says that there are new ones, as in a hidden tab. */
const ALERTS_EVERY_MS = 10_000;
/** The alerts of a version are written about when it is published. */
const WRITTEN_AFTER_MS = 400;
/** A week of a fleet is replayed for a preview. */
const PREVIEW_WITHIN_MS = 5 * 60_000;

const toUrl = (usdot: string, path: string): string => `/api/fleets/${encodeURIComponent(usdot)}/${path}`;
const alertsKey = (usdot: string) => ['fleets', usdot, 'alerts'];
const rulesKey = (usdot: string) => ['fleets', usdot, 'alert rules'];

const LASTING = { retry: shouldRetry, networkMode: 'always' } as const;

const newestAlertsOptions = (usdot: string) =>
  queryOptions({
    ...LASTING,
    queryKey: [...alertsKey(usdot), 'newest'],
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'alerts'), alertPageAnswer, { signal }),
    refetchInterval: ALERTS_EVERY_MS,
    // A sound and a notification are wanted most while another window is in front.
    refetchIntervalInBackground: true,
  });

/** The newest alerts of a fleet and how many are unread. */
export const useNewestAlerts = (usdot: string) => useQuery(newestAlertsOptions(usdot));

/** Reads all lists of a fleet's alerts again after each poll that opened or closed some. */
export const useAlertsOfRevision = (usdot: string, alertsRevision: number): void => {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: alertsKey(usdot) });
    const timer = setTimeout(refetch, WRITTEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, usdot, alertsRevision]);
};

const alertPagesOptions = (usdot: string, isOpenOnly: boolean) =>
  infiniteQueryOptions({
    ...LASTING,
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

/** Changes of alerts, after which the lists are read again. They throw ServerUnreachableError, ServerProblemError. */
export const useAlertChanges = (usdot: string) => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: alertsKey(usdot) });
  return {
    acknowledge: useMutation({
      mutationFn: async ({ id, note }: { id: number; note: string }): Promise<Alert> =>
        readJson(await sendJson('POST', toUrl(usdot, `alerts/${id}/acknowledge`), { note }), alertAnswer),
      onSettled,
    }),
    markRead: useMutation({
      mutationFn: (lastAlertId: number) => sendJson('POST', toUrl(usdot, 'alerts/read'), { lastAlertId }),
      // No line of a list changes.
      onSettled: () => client.invalidateQueries({ queryKey: newestAlertsOptions(usdot).queryKey }),
    }),
  };
};

/** The rules of a fleet and the viewer's own. */
export const useAlertRules = (usdot: string) =>
  useQuery({
    ...LASTING,
    queryKey: rulesKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'alert-rules'), rulesAnswer, { signal }),
  });

/** Changes of rules, after which they are read again. They throw ServerUnreachableError, ServerProblemError. */
export const useRuleChanges = (usdot: string) => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: rulesKey(usdot) });
  const url = toUrl(usdot, 'alert-rules');
  return {
    add: useMutation({
      mutationFn: async (rule: AlertRuleInput): Promise<AlertRule> =>
        readJson(await sendJson('POST', url, rule), ruleAnswer),
      onSettled,
    }),
    change: useMutation({
      mutationFn: async ({ id, change }: { id: number; change: AlertRuleChange }): Promise<AlertRule> =>
        readJson(await sendJson('PATCH', `${url}/${id}`, change), ruleAnswer),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (id: number) => sendJson('DELETE', `${url}/${id}`, {}), onSettled }),
  };
};

/** What a rule would have sent. It throws ServerUnreachableError, ServerProblemError. */
export const useRulePreview = (usdot: string) =>
  useMutation({
    mutationFn: (rule: AlertRuleInput): Promise<RulePreview> =>
      fetchJson(toUrl(usdot, 'alert-rules/preview'), rulePreviewAnswer, {
        method: 'POST',
        body: JSON.stringify(rule),
        timeoutMs: PREVIEW_WITHIN_MS,
      }),
  });
