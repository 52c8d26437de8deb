import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchJson, readJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
import {
  alertAccountAnswer,
  deliveriesAnswer,
  madeWebhookAnswer,
  webhookTestAnswer,
  webhooksAnswer,
} from './answers';
import type { AlertPreferences } from './preferences';
import type { PushSubscriptionInput, WebhookChange, WebhookInput } from './schema';

const LASTING = { retry: shouldRetry, networkMode: 'always' } as const;
const toUrl = (usdot: string, path: string): string => `/api/fleets/${encodeURIComponent(usdot)}/${path}`;

const ACCOUNT_KEY = ['alert preferences'];

/** How the viewer hears of alerts; nothing is requested unless `isWanted`. */
export const useAlertAccount = (isWanted: boolean) =>
  useQuery({
    ...LASTING,
    queryKey: ACCOUNT_KEY,
    queryFn: ({ signal }) => fetchJson('/api/alert-preferences', alertAccountAnswer, { signal }),
    enabled: isWanted,
    staleTime: 60_000,
  });

const useAccountMutation = <Input>(mutationFn: (input: Input) => Promise<unknown>) => {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ACCOUNT_KEY }) });
};

/** Stores how the viewer hears of alerts. It throws ServerUnreachableError, ServerProblemError. */
export const useSavePreferences = () =>
  useAccountMutation((preferences: AlertPreferences) =>
    sendJson('PUT', '/api/alert-preferences', preferences),
  );

/** Subscribes browsers and ends that. They throw ServerUnreachableError, ServerProblemError. */
export const usePushChanges = () => ({
  add: useAccountMutation(({ endpoint, keys }: PushSubscriptionInput) =>
    sendJson('POST', '/api/push-subscriptions', { endpoint, keys }),
  ),
  /** This browser, by its endpoint. */
  remove: useAccountMutation((endpoint: string) =>
    sendJson('DELETE', '/api/push-subscriptions', { endpoint }),
  ),
  /** Another one, by its id. */
  removeOther: useAccountMutation((id: string) =>
    sendJson('DELETE', `/api/push-subscriptions/${encodeURIComponent(id)}`, {}),
  ),
});

/** How soon the fate of a message is seen. */
const DELIVERIES_EVERY_MS = 5000;
const webhooksKey = (usdot: string) => ['fleets', usdot, 'webhooks'];
const toWebhookUrl = (usdot: string, id: string, path = ''): string =>
  toUrl(usdot, `webhooks/${encodeURIComponent(id)}${path}`);

/** The webhooks of a fleet, for managers. */
export const useWebhooks = (usdot: string) =>
  useQuery({
    ...LASTING,
    queryKey: webhooksKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'webhooks'), webhooksAnswer, { signal }),
    refetchInterval: DELIVERIES_EVERY_MS,
  });

/** The newest messages to a webhook. */
export const useDeliveries = (usdot: string, id: string) =>
  useQuery({
    ...LASTING,
    queryKey: [...webhooksKey(usdot), id],
    queryFn: ({ signal }) => fetchJson(toWebhookUrl(usdot, id, '/deliveries'), deliveriesAnswer, { signal }),
    refetchInterval: DELIVERIES_EVERY_MS,
  });

/** Changes of webhooks, after which they are read again. They throw ServerUnreachableError, ServerProblemError. */
export const useWebhookChanges = (usdot: string) => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: webhooksKey(usdot) });
  return {
    /** Resolves to the webhook with its secret, which is not shown again. */
    add: useMutation({
      mutationFn: async (webhook: WebhookInput) =>
        readJson(await sendJson('POST', toUrl(usdot, 'webhooks'), webhook), madeWebhookAnswer),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: WebhookChange }) =>
        sendJson('PATCH', toWebhookUrl(usdot, id), change),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: string) => sendJson('DELETE', toWebhookUrl(usdot, id), {}),
      onSettled,
    }),
    test: useMutation({
      mutationFn: async (id: string) =>
        readJson(await sendJson('POST', toWebhookUrl(usdot, id, '/test'), {}), webhookTestAnswer),
    }),
    replay: useMutation({
      mutationFn: (deliveryId: string) =>
        sendJson('POST', toUrl(usdot, `deliveries/${encodeURIComponent(deliveryId)}/replay`), {}),
      onSettled,
    }),
  };
};
