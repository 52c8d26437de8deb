import 'server-only';
import { toUnitQuality, type SeenFix, type UnitQuality } from '../quality/unit-quality';
import type { ReportJob } from './unit-days';

/**
 * As a report's, whose columns are followed by when each fix was seen, Unix s, 1 if the map showed another position with it,
 * and the flags (-1: not known) and the error of the position, m, that its unit had then.
 */
export interface QualityJob extends ReportJob {
  kind: 'quality';
}

const toSeenFixes = ({ columns }: QualityJob, fromRow: number, toRow: number): SeenFix[] => {
  const [times, lats, lngs, receipts, seen, late, flags, coarse] = columns;
  const fixes: SeenFix[] = [];
  for (let row = fromRow; row < toRow; row++) {
    // Of two with one time, the one that was seen first.
    if (row > fromRow && times![row] === times![row - 1]) continue;
    // One literal, because spreads take most of the time of a day.
    fixes.push({
      fixAtMs: times![row]!,
      lat: lats![row]! / 1e5,
      lng: lngs![row]! / 1e5,
      isByReceipt: receipts![row] === 1,
      seenS: seen![row]!,
      isLate: late![row] === 1,
      state: flags![row]! < 0 ? null : { flags: flags![row]!, coarseM: coarse![row]! },
    });
  }
  return fixes;
};

/** The figures of each unit that has a fix of the day or of the two hours before it. */
export const toQualityDays = (job: QualityJob): UnitQuality[] => {
  let row = 0;
  return job.units.map((key, i) => {
    const fixes = toSeenFixes(job, row, (row += job.counts[i]!));
    const { coverage, fromMs, toMs, nowMs } = job;
    return toUnitQuality(key, { fixes, coverage, fromMs, toMs, nowMs });
  });
};
