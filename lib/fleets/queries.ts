import { useQuery } from '@tanstack/react-query';
import { fleetListSchema, type FleetList } from './schema';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import { MINUTE_MS } from '@/lib/base/time';

/** Reading the list makes the server load what is missing, which comes a moment later. */
const NAMELESS_MS = 5000;
/** A name that is still missing after this many polls may be outside the viewer's scope. */
const NAMELESS_READINGS = 12;

const isNameless = ({ fleets }: FleetList): boolean =>
  fleets.length === 0 || fleets.some(({ account }) => account === null);

/** The fleets in the viewer's scope, polled once a minute; disabled unless `isWanted`. */
export const useFleetList = (isWanted: boolean) =>
  useQuery({
    queryKey: ['fleets'],
    queryFn: ({ signal }) => fetchJson('/api/fleets', fleetListSchema, { signal }),
    enabled: isWanted,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isNameless(data) && dataUpdateCount < NAMELESS_READINGS ? NAMELESS_MS : MINUTE_MS,
    ...PERSISTENT,
  });
