import { queryOptions, useQuery } from '@tanstack/react-query';
import { fleetListSchema } from './schema';
import type { FleetList } from './schema';
import { fetchJson, shouldRetry } from '../browser/fetch-json';

const MINUTE_MS = 60_000;
/** The server asks for a name as the list is read: it is there a moment later, or when its provider answers again. */
const NAMELESS_MS = 5000;
/** A name that so many readings did not bring may be one that this viewer is not told. */
const NAMELESS_READINGS = 12;

const isNameless = ({ fleets }: FleetList): boolean => fleets.some(({ account }) => account === null);

const fleetListOptions = (isWanted: boolean) =>
  queryOptions({
    queryKey: ['fleets'],
    queryFn: ({ signal }) => fetchJson('/api/fleets', fleetListSchema, { signal }),
    enabled: isWanted,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isNameless(data) && dataUpdateCount < NAMELESS_READINGS ? NAMELESS_MS : MINUTE_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The fleets that may be seen, asked for again once a minute; asks nothing where they are not wanted. */
export const useFleetList = (isWanted: boolean) => useQuery(fleetListOptions(isWanted));
