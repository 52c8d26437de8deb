import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import {
  apiKeysSchema,
  issuedKeySchema,
  issuedLoadKeySchema,
  loadKeysSchema,
  type KeyChange,
  type NewKey,
  type NewLoadKey,
} from './schema';

const REFETCH_MS = 15_000;
const KEY = ['api-keys'];

export const useApiKeys = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchJson('/api/api-keys', apiKeysSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
  });

const toPath = (id: string): string => `/api/api-keys/${encodeURIComponent(id)}`;

/** Mutations on API keys; each one refetches the list. @throws ServerUnreachableError, ServerProblemError */
export const useKeyChanges = () => ({
  create: useChange(KEY, (key: NewKey) => exchangeJson('POST', '/api/api-keys', key, issuedKeySchema)),
  change: useChange(KEY, ({ id, change }: { id: string; change: KeyChange }) =>
    sendJson('PATCH', toPath(id), change),
  ),
  rotate: useChange(KEY, ({ id, overlapMs }: { id: string; overlapMs: number }) =>
    exchangeJson('POST', `${toPath(id)}/rotate`, { overlapMs }, issuedKeySchema),
  ),
  revoke: useChange(KEY, (id: string) => sendJson('DELETE', toPath(id), {})),
});

const LOAD_KEYS = ['load-keys'];

export const useLoadKeys = () =>
  useQuery({
    queryKey: LOAD_KEYS,
    queryFn: ({ signal }) => fetchJson('/api/load-keys', loadKeysSchema, { signal }),
    refetchInterval: REFETCH_MS,
    retry: false,
  });

/** Mutations on keys for loads, as those of API keys. @throws ServerUnreachableError, ServerProblemError */
export const useLoadKeyChanges = () => ({
  create: useChange(LOAD_KEYS, (key: NewLoadKey) =>
    exchangeJson('POST', '/api/load-keys', key, issuedLoadKeySchema),
  ),
  revoke: useChange(LOAD_KEYS, (id: string) =>
    sendJson('DELETE', `/api/load-keys/${encodeURIComponent(id)}`, {}),
  ),
});
