import { queryOptions, useQuery } from '@tanstack/react-query';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import {
  either,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  pair,
  text,
  type Shape,
} from '@/lib/base/shape';
import { SITE_KIND_LABELS } from './kinds';
import type { Site, SiteKind } from '@/lib/rules/site';

/** Another user's change is on the screen after this time at most. */
const REFETCH_MS = 5 * 60_000;

const hoursShape = object({
  timeZone: text,
  days: list(object({ weekdays: list(number), fromMin: number, toMin: number })),
});
export const siteShape: Shape<Site> = object({
  id: integer(1),
  name: text,
  kind: oneOf(Object.keys(SITE_KIND_LABELS) as SiteKind[]),
  color: text,
  notes: text,
  openingHours: nullable(hoursShape),
  marginM: number,
  shape: either(
    object({ type: oneOf<'circle'>(['circle']), lat: number, lng: number, radiusM: number }),
    object({ type: oneOf<'polygon'>(['polygon']), corners: list(pair(number)) }),
  ),
});
/** GET /api/fleets/:usdot/sites */
export const sitesShape = object({ sites: list(siteShape) });

export const sitesPath = (usdot: string): string => `/api/fleets/${usdot}/sites`;

const sitesOptions = (usdot: string, isWanted: boolean) =>
  queryOptions({
    queryKey: ['sites', usdot],
    queryFn: async ({ signal }): Promise<readonly Site[]> =>
      (await fetchJson(sitesPath(usdot), sitesShape, { signal })).sites,
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** The sites of a fleet; they are read once `isWanted`. */
export const useFleetSites = (usdot: string, isWanted: boolean) => useQuery(sitesOptions(usdot, isWanted));
