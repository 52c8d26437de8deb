import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ServerUnreachableError, fetchLines, fetchJson, PERSISTENT } from '@/lib/browser/fetch-json';
import { reportLineSchema, type ReportedDay } from './reports';
import { type Area, formatArea } from './who/area';
import { visitsSchema } from './who/schema';
import type { TimeRange } from '@/lib/base/time';

const REPORT_WITHIN_MS = 15 * 60_000;
const REPORT_FRESH_MS = 60_000;

/** The days of each unit of a fleet in a range, with the share of them that has come. `cancel` ends the request. */
export const useReport = (
  usdot: string,
  { fromMs, toMs, zone }: { fromMs: number; toMs: number; zone: string },
) => {
  const client = useQueryClient();
  const queryKey = ['fleets', usdot, 'report', fromMs, toMs, zone];
  const shareKey = [...queryKey, 'share'];
  const { data: share = 0 } = useQuery({ queryKey: shareKey, queryFn: () => 0, enabled: false });
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const days: ReportedDay[] = [];
      let last = 0;
      const params = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone });
      await fetchLines(
        `/api/fleets/${encodeURIComponent(usdot)}/report?${params}`,
        reportLineSchema,
        ({ share, day, units }) => {
          for (const unit of units) days.push({ ...unit, day });
          last = share;
          client.setQueryData(shareKey, share);
        },
        { signal, timeoutMs: REPORT_WITHIN_MS },
      );
      if (last < 1) throw new ServerUnreachableError('The answer of the Linehaul server broke off.');
      return days;
    },
    staleTime: REPORT_FRESH_MS,
    gcTime: 5 * 60_000,
    retry: false,
    networkMode: 'always',
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
  });
  return { ...query, share, cancel: () => void client.cancelQueries({ queryKey, exact: true }) };
};

/** The units that were in an area within a range, Unix ms; nothing is requested without an area. */
export const useVisits = (usdot: string, area: Area | null, { fromMs, toMs }: TimeRange) => {
  const text = area === null ? '' : formatArea(area);
  return useQuery({
    queryKey: ['fleets', usdot, 'visits', text, fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/history/visits?area=${encodeURIComponent(text)}&from=${fromMs}&to=${toMs}`,
        visitsSchema,
        { signal },
      ),
    enabled: area !== null,
    staleTime: 60_000,
    ...PERSISTENT,
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
  });
};
