import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  devicesSchema,
  importResultSchema,
  issuedTokenSchema,
  refusalsSchema,
  type Import,
  type NewToken,
  type Vehicle,
} from './schema';
import { fetchJson, readJson, sendJson } from '../browser/fetch-json';

/** Short, because an installer may be waiting beside a phone for its first report. */
const REFETCH_MS = 5000;

const devicesOptions = (usdot: string | null) =>
  queryOptions({
    queryKey: ['devices', usdot],
    queryFn: ({ signal }) =>
      fetchJson(`/api/devices${usdot === null ? '' : `?usdot=${usdot}`}`, devicesSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
    placeholderData: keepPreviousData,
  });

/** The file of a carrier's vehicles, to be edited and imported again. */
export const toVehicleCsvUrl = (usdot: string): string => `/api/devices/csv?usdot=${usdot}`;

/** The devices and ingest tokens of a carrier; null: of the one on the map. */
export const useDevices = (usdot: string | null) => useQuery(devicesOptions(usdot));

const refusalsOptions = (usdot: string | null) =>
  queryOptions({
    queryKey: ['devices', 'refused', usdot],
    queryFn: ({ signal }) =>
      fetchJson(`/api/refused-reports${usdot === null ? '' : `?usdot=${usdot}`}`, refusalsSchema, { signal }),
    refetchInterval: REFETCH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** The reports that were refused of a carrier's devices; null: of the one on the map. */
export const useRefusals = (usdot: string | null) => useQuery(refusalsOptions(usdot));

/** Mutations on devices; each one refetches the list. @throws ServerUnreachableError, ServerProblemError */
export const useDeviceChanges = () => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['devices'] });
  return {
    add: useMutation({
      mutationFn: (vehicle: Vehicle) => sendJson('POST', '/api/devices', vehicle),
      onSettled,
    }),
    change: useMutation({
      mutationFn: (vehicle: Vehicle) => sendJson('PATCH', '/api/devices', vehicle),
      onSettled,
    }),
    importFile: useMutation({
      mutationFn: async (input: Import) =>
        readJson(await sendJson('POST', '/api/devices/import', input), importResultSchema),
      onSettled,
    }),
    createToken: useMutation({
      mutationFn: async (token: NewToken) =>
        readJson(await sendJson('POST', '/api/ingest-tokens', token), issuedTokenSchema),
      onSettled,
    }),
    revokeToken: useMutation({
      mutationFn: (id: string) => sendJson('DELETE', `/api/ingest-tokens/${encodeURIComponent(id)}`, {}),
      onSettled,
    }),
  };
};
