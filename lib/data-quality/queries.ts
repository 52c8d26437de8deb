import { toChosenQuery, type ChosenUnits } from '@/lib/reports/chosen';
import type { ReportPeriod } from '@/lib/reports/periods';
import { useReportLines } from '@/lib/reports/queries';
import type { TimeRange } from '@/lib/base/time';
import { qualityLineSchema, type QualityGroup, type QualityRow } from './quality';

export interface QualityQuestion extends TimeRange, ChosenUnits {
  zone: string;
  by: QualityGroup;
  each: ReportPeriod;
}

/** The quality of a fleet's data, with the share of the days that are read; null: nothing is requested. `cancel` ends the request. */
export const useQuality = (usdot: string | null, question: QualityQuestion) => {
  const { fromMs, toMs, zone, by, each, unit, tag } = question;
  const params = new URLSearchParams({
    ...{ from: String(fromMs), to: String(toMs), zone, by, each },
    ...toChosenQuery({ unit, tag }),
  });
  return useReportLines({
    queryKey: ['fleets', usdot, 'data-quality', fromMs, toMs, zone, by, each, unit, tag],
    url: usdot === null ? null : `/api/fleets/${encodeURIComponent(usdot)}/data-quality?${params}`,
    schema: qualityLineSchema,
    create: (): QualityRow[] => [],
    add: (rows, line) => rows.push(...line.rows),
  });
};
