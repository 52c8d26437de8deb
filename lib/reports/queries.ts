import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ServerUnreachableError, fetchLines, fetchJson, PERSISTENT } from '@/lib/browser/fetch-json';
import { reportLineSchema, type ReportedDay } from './reports';
import { type Area, formatArea } from './who/area';
import { visitsSchema } from './who/schema';
import type { Shape } from '@/lib/base/shape';
import type { TimeRange } from '@/lib/base/time';
import { toChosenQuery, type ChosenUnits } from './chosen';

const REPORT_WITHIN_MS = 15 * 60_000;
const REPORT_FRESH_MS = 60_000;

interface ReportLines<Line, Data> {
  queryKey: readonly unknown[];
  /** Null: nothing is requested. */
  url: string | null;
  schema: Shape<Line>;
  create: () => Data;
  add: (data: Data, line: Line) => void;
}

/** What lines of JSON add up to, with the share of them that has come. `cancel` ends the request. */
export const useReportLines = <Line extends { share: number }, Data>({
  queryKey,
  url,
  schema,
  create,
  add,
}: ReportLines<Line, Data>) => {
  const client = useQueryClient();
  const shareKey = [...queryKey, 'share'];
  const { data: share = 0 } = useQuery({ queryKey: shareKey, queryFn: () => 0, enabled: false });
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const data = create();
      let last = 0;
      const onLine = (line: Line): void => {
        add(data, line);
        last = line.share;
        client.setQueryData(shareKey, line.share);
      };
      await fetchLines(url!, schema, onLine, { signal, timeoutMs: REPORT_WITHIN_MS });
      if (last < 1) throw new ServerUnreachableError('The answer of the Linehaul server broke off.');
      return data;
    },
    enabled: url !== null,
    staleTime: REPORT_FRESH_MS,
    gcTime: 5 * 60_000,
    retry: false,
    networkMode: 'always',
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
  });
  return { ...query, share, cancel: () => void client.cancelQueries({ queryKey, exact: true }) };
};

/** The days of each chosen unit of a fleet in a range. */
export const useReport = (
  usdot: string,
  { fromMs, toMs, zone, unit, tag }: TimeRange & { zone: string } & ChosenUnits,
) => {
  const chosen = toChosenQuery({ unit, tag });
  const params = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone, ...chosen });
  return useReportLines({
    queryKey: ['fleets', usdot, 'report', fromMs, toMs, zone, unit, tag],
    url: `/api/fleets/${encodeURIComponent(usdot)}/report?${params}`,
    schema: reportLineSchema,
    create: (): ReportedDay[] => [],
    add: (days, { day, units }) => {
      for (const each of units) days.push({ ...each, day });
    },
  });
};

/** The chosen units that were in an area, or at a site by its id, within a range, Unix ms; null: nothing is requested. */
export const useVisits = (
  usdot: string,
  place: Area | number | null,
  { fromMs, toMs, unit, tag }: TimeRange & ChosenUnits,
) => {
  const query = new URLSearchParams({
    ...(typeof place === 'number'
      ? { site: String(place) }
      : { area: place === null ? '' : formatArea(place) }),
    ...{ from: String(fromMs), to: String(toMs), ...toChosenQuery({ unit, tag }) },
  }).toString();
  return useQuery({
    queryKey: ['fleets', usdot, 'visits', query],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/history/visits?${query}`, visitsSchema, { signal }),
    enabled: place !== null,
    staleTime: 60_000,
    ...PERSISTENT,
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
  });
};
