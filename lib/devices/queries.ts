import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  devicesSchema,
  importResultSchema,
  issuedTokenSchema,
  refusalsSchema,
  type Import,
  type NewToken,
  type RemovedVehicle,
  type Vehicle,
} from './schema';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';

/** Short, because an installer may be waiting beside a phone for its first report. */
const REFETCH_MS = 5000;

const KEY = ['devices'];
/** A failure shows at once because the next poll is due soon. */
const POLLED = { refetchInterval: REFETCH_MS, retry: false, placeholderData: keepPreviousData } as const;

const toQuery = (usdot: string | null): string => (usdot === null ? '' : `?usdot=${usdot}`);

export const toVehicleCsvUrl = (usdot: string): string => `/api/devices/csv?usdot=${usdot}`;

/** The devices and ingest tokens of a carrier; null: of the one on the map. */
export const useDevices = (usdot: string | null) =>
  useQuery({
    queryKey: [...KEY, usdot],
    queryFn: ({ signal }) => fetchJson(`/api/devices${toQuery(usdot)}`, devicesSchema, { signal }),
    ...POLLED,
  });

/** The reports that were refused of a carrier's devices; null: of the one on the map. */
export const useRefusals = (usdot: string | null) =>
  useQuery({
    queryKey: [...KEY, 'refused', usdot],
    queryFn: ({ signal }) => fetchJson(`/api/refused-reports${toQuery(usdot)}`, refusalsSchema, { signal }),
    ...POLLED,
  });

/** Mutations on devices; each one refetches the list. @throws ServerUnreachableError, ServerProblemError */
export const useDeviceChanges = () => ({
  add: useChange(KEY, (vehicle: Vehicle) => sendJson('POST', '/api/devices', vehicle)),
  change: useChange(KEY, (vehicle: Vehicle) => sendJson('PATCH', '/api/devices', vehicle)),
  remove: useChange(KEY, (vehicle: RemovedVehicle) => sendJson('DELETE', '/api/devices', vehicle)),
  importFile: useChange(KEY, (input: Import) =>
    exchangeJson('POST', '/api/devices/import', input, importResultSchema),
  ),
  createToken: useChange(KEY, (token: NewToken) =>
    exchangeJson('POST', '/api/ingest-tokens', token, issuedTokenSchema),
  ),
  revokeToken: useChange(KEY, (id: string) =>
    sendJson('DELETE', `/api/ingest-tokens/${encodeURIComponent(id)}`, {}),
  ),
});
