import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, exchangeJson, fetchJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
import { toChosenQuery, type ChosenUnits } from '@/lib/reports/chosen';
import { sitesPath, siteShape } from './queries';
import type { ImportedSite, SiteChange } from './schema';
import type { SiteInput } from '@/lib/rules/site';
import { suggestionsShape, siteVisitsShape, importedCountsShape } from './answers';
import { HOUR_MS, type TimeRange } from '@/lib/base/time';
import { visitReportShape } from './visit-report';

const VISITS_REFETCH_MS = 60_000;
/** The interval while visits are being found. */
const SCAN_REFETCH_MS = 2000;

/** The first reading of a large fleet takes long. */
const SUGGESTED_TIMEOUT_MS = 60_000;
const VISITS_MS = 30 * 24 * 3_600_000;

/** Who is at a site, and the arrivals and departures of the last 30 days; `nowMs` is server time. Polled each minute. */
export const useSiteVisits = (usdot: string, id: number, nowMs: number) => {
  // The range of an hour is the same, so that the answers of its polls replace each other.
  const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  return useQuery({
    queryKey: ['sites', usdot, id, 'visits', toMs],
    queryFn: ({ signal }) =>
      fetchJson(`${sitesPath(usdot)}/${id}/visits?from=${toMs - VISITS_MS}&to=${toMs}`, siteVisitsShape, {
        signal,
      }),
    refetchInterval: ({ state: { data } }) =>
      data?.scan != null && data.scan.share < 1 ? SCAN_REFETCH_MS : VISITS_REFETCH_MS,
    // Of the hour before, and of no other site.
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
    retry: shouldRetry,
  });
};

/** Places where the fleet stopped often; the server reads two weeks for them. */
export const useSuggestedSites = (usdot: string) =>
  useQuery({
    queryKey: ['sites', usdot, 'suggested'],
    queryFn: ({ signal }) =>
      fetchJson(`${sitesPath(usdot)}/suggested`, suggestionsShape, {
        signal,
        timeoutMs: SUGGESTED_TIMEOUT_MS,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Changes of a fleet's sites. They throw ServerUnreachableError, ServerProblemError. */
export const useSiteChanges = (usdot: string) => {
  const key = ['sites', usdot];
  const path = sitesPath(usdot);
  return {
    add: useChange(key, (site: SiteInput) => exchangeJson('POST', path, site, siteShape)),
    change: useChange(key, ({ id, ...change }: SiteChange & { id: number }) =>
      exchangeJson('PATCH', `${path}/${id}`, change, siteShape),
    ),
    remove: useChange(key, (id: number) => sendJson('DELETE', `${path}/${id}`, {})),
    importAll: useChange(key, (sites: readonly ImportedSite[]) =>
      exchangeJson('POST', `${path}/import`, { sites }, importedCountsShape),
    ),
  };
};

/** The visits to all sites of a fleet in a range, Unix ms. */
export const useVisitReport = (usdot: string, { fromMs, toMs }: TimeRange, chosen: ChosenUnits) => {
  const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), ...toChosenQuery(chosen) });
  return useQuery({
    queryKey: ['fleets', usdot, 'site visits', query.toString()],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/history/site-visits?${query}`, visitReportShape, {
        signal,
      }),
    staleTime: 60_000,
    ...PERSISTENT,
    refetchOnWindowFocus: false,
  });
};
