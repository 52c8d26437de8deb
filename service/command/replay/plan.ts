import type { ReplayFix } from './recording';

/** The time shift of a recording: its newest fix at the moment it is sent, its first fix at the start, or none. */
export type Shift = 'end' | 'start' | 'none';

export type ReplayProtocol = 'osmand' | 'overland';

/** The fixes of one request, and when it is sent. */
export interface PlannedReport {
  sendAtMs: number;
  /** of one device, with their times shifted */
  fixes: [ReplayFix, ...ReplayFix[]];
}

export interface PlanOptions {
  protocol: ReplayProtocol;
  shift: Shift;
  /** how many recorded seconds pass in one; Infinity for as fast as the service takes them */
  pace: number;
  nowMs: number;
}

/** Overland's default batch size. */
const BATCH_FIXES = 200;

/** How long a device gathers fixes for a batch, in milliseconds as they pass for the viewer. */
const GATHERING_MS = 5_000;

/**
 * The requests that replay a recording, by the time at which they are due. At full pace they keep the order of the
 * file, as it was recorded; otherwise the order of time.
 */
export const toReports = (fixes: ReplayFix[], options: PlanOptions): PlannedReport[] => {
  if (fixes.length === 0) return [];
  const { pace, nowMs, protocol } = options;
  const [firstMs, lastMs] = toSpan(fixes);
  const offsetMs = toOffsetMs(firstMs, lastMs, options);
  const reports = fixes.map((fix): PlannedReport => ({
    sendAtMs: nowMs + (fix.fixAtMs - firstMs) / pace,
    fixes: [{ ...fix, fixAtMs: fix.fixAtMs + offsetMs }],
  }));
  if (Number.isFinite(pace)) reports.sort((a, b) => a.sendAtMs - b.sendAtMs);
  return protocol === 'osmand' ? reports : gather(reports);
};

const toSpan = (fixes: ReplayFix[]): [firstMs: number, lastMs: number] =>
  fixes.reduce(
    ([first, last], { fixAtMs }) => [Math.min(first, fixAtMs), Math.max(last, fixAtMs)],
    [Infinity, -Infinity],
  );

const toOffsetMs = (firstMs: number, lastMs: number, { shift, pace, nowMs }: PlanOptions): number => {
  if (shift === 'none') return 0;
  if (shift === 'start') return nowMs - firstMs;
  return Math.round(nowMs + (lastMs - firstMs) / pace) - lastMs;
};

/** Puts the fixes of a device that fall due together into one report, which is due when its last fix is. */
const gather = (reports: PlannedReport[]): PlannedReport[] => {
  const gathered: PlannedReport[] = [];
  const open = new Map<string, { batch: PlannedReport; sinceMs: number }>();
  for (const report of reports) {
    const [fix] = report.fixes;
    const { batch, sinceMs } = open.get(fix.deviceId) ?? { batch: null, sinceMs: 0 };
    const isRoom =
      batch !== null && batch.fixes.length < BATCH_FIXES && report.sendAtMs - sinceMs < GATHERING_MS;
    // The service refuses a whole batch for one bad fix, so a bad fix is sent alone.
    if (!isPlausible(fix)) gathered.push(report);
    else if (isRoom) {
      batch.fixes.push(fix);
      batch.sendAtMs = report.sendAtMs;
    } else {
      open.set(fix.deviceId, { batch: report, sinceMs: report.sendAtMs });
      gathered.push(report);
    }
  }
  return gathered.sort((a, b) => a.sendAtMs - b.sendAtMs);
};

const isPlausible = ({ lat, lng }: ReplayFix): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0);
