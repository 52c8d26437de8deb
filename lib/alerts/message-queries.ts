import { useMutation, useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import {
  alertAccountAnswer,
  deliveriesAnswer,
  madeWebhookAnswer,
  webhookTestAnswer,
  webhooksAnswer,
} from './answers';
import type { AlertPreferences } from './preferences';
import { toUrl } from './queries';
import type { PushSubscriptionInput, WebhookChange, WebhookInput } from './schema';

const ACCOUNT_KEY = ['alert preferences'];

/** How the viewer hears of alerts; nothing is requested unless `isWanted`. */
export const useAlertAccount = (isWanted: boolean) =>
  useQuery({
    ...PERSISTENT,
    queryKey: ACCOUNT_KEY,
    queryFn: ({ signal }) => fetchJson('/api/alert-preferences', alertAccountAnswer, { signal }),
    enabled: isWanted,
    staleTime: 60_000,
  });

/** Stores how the viewer hears of alerts. It throws ServerUnreachableError, ServerProblemError. */
export const useSavePreferences = () =>
  useChange(ACCOUNT_KEY, (preferences: AlertPreferences) =>
    sendJson('PUT', '/api/alert-preferences', preferences),
  );

/** Subscribes browsers and ends that. They throw ServerUnreachableError, ServerProblemError. */
export const usePushChanges = () => ({
  add: useChange(ACCOUNT_KEY, ({ endpoint, keys }: PushSubscriptionInput) =>
    sendJson('POST', '/api/push-subscriptions', { endpoint, keys }),
  ),
  /** This browser, by its endpoint. */
  remove: useChange(ACCOUNT_KEY, (endpoint: string) =>
    sendJson('DELETE', '/api/push-subscriptions', { endpoint }),
  ),
  /** Another one, by its id. */
  removeOther: useChange(ACCOUNT_KEY, (id: string) =>
    sendJson('DELETE', `/api/push-subscriptions/${encodeURIComponent(id)}`, {}),
  ),
});

/** How soon the fate of a message is seen. */
const DELIVERIES_EVERY_MS = 5000;
const webhooksKey = (usdot: string) => ['fleets', usdot, 'webhooks'];
const toWebhookUrl = (usdot: string, id: string, path = ''): string =>
  toUrl(usdot, `webhooks/${encodeURIComponent(id)}${path}`);

export const useWebhooks = (usdot: string) =>
  useQuery({
    ...PERSISTENT,
    queryKey: webhooksKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot, 'webhooks'), webhooksAnswer, { signal }),
    refetchInterval: DELIVERIES_EVERY_MS,
  });

export const useDeliveries = (usdot: string, id: string) =>
  useQuery({
    ...PERSISTENT,
    queryKey: [...webhooksKey(usdot), id],
    queryFn: ({ signal }) => fetchJson(toWebhookUrl(usdot, id, '/deliveries'), deliveriesAnswer, { signal }),
    refetchInterval: DELIVERIES_EVERY_MS,
  });

/** Changes of webhooks. They throw ServerUnreachableError, ServerProblemError. */
export const useWebhookChanges = (usdot: string) => {
  const key = webhooksKey(usdot);
  return {
    /** Resolves to the webhook with its secret, which is not shown again. */
    add: useChange(key, (webhook: WebhookInput) =>
      exchangeJson('POST', toUrl(usdot, 'webhooks'), webhook, madeWebhookAnswer),
    ),
    change: useChange(key, ({ id, change }: { id: string; change: WebhookChange }) =>
      sendJson('PATCH', toWebhookUrl(usdot, id), change),
    ),
    remove: useChange(key, (id: string) => sendJson('DELETE', toWebhookUrl(usdot, id), {})),
    test: useMutation({
      mutationFn: (id: string) =>
        exchangeJson('POST', toWebhookUrl(usdot, id, '/test'), {}, webhookTestAnswer),
    }),
    replay: useChange(key, (deliveryId: string) =>
      sendJson('POST', toUrl(usdot, `deliveries/${encodeURIComponent(deliveryId)}/replay`), {}),
    ),
  };
};
