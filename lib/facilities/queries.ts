import { useQuery } from '@tanstack/react-query';
import { fetchJson, shouldRetry } from '@/lib/browser/fetch-json';
import { MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { toChosenQuery, type ChosenUnits } from '@/lib/reports/chosen';
import type { ReportPeriod } from '@/lib/reports/periods';
import { facilitiesSchema, type FacilityGroup } from './facilities';

interface FacilityQuestion extends TimeRange, ChosenUnits {
  zone: string;
  by: FacilityGroup;
  each: ReportPeriod;
}

/** The figures of the facilities of a fleet in a range, Unix ms. */
export const useFacilities = (usdot: string, question: FacilityQuestion) => {
  const { fromMs, toMs, zone, by, each, unit, tag } = question;
  const query = new URLSearchParams({
    ...{ from: String(fromMs), to: String(toMs), zone, by, each },
    ...toChosenQuery({ unit, tag }),
  }).toString();
  return useQuery({
    queryKey: ['fleets', usdot, 'facilities', query],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/facilities?${query}`, facilitiesSchema, { signal }),
    staleTime: MINUTE_MS,
    retry: shouldRetry,
  });
};
