import type { ReplayFix, LineNote, Recording } from './recording';
import { toCount, type CommandContext } from '../command';
import { type Outcome, createReportSender } from './report-sender';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDeviceRequest } from '../../simulator/device-request';

/** The time shift of a recording: its newest fix at the moment it is sent, its first fix at the start, or none. */
export type Shift = 'end' | 'start' | 'none';

export type ReplayProtocol = 'osmand' | 'overland';

/** The fixes of one request, and when it is sent. */
export interface Report {
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
export const toReports = (fixes: ReplayFix[], options: PlanOptions): Report[] => {
  if (fixes.length === 0) return [];
  const { pace, nowMs, protocol } = options;
  const [firstMs, lastMs] = toSpan(fixes);
  const offsetMs = toOffsetMs(firstMs, lastMs, options);
  const reports = fixes.map((fix): Report => ({
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
const gather = (reports: Report[]): Report[] => {
  const gathered: Report[] = [];
  const open = new Map<string, { batch: Report; sinceMs: number }>();
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

/** How many lines of the file are named for one reason. */
const NAMED_LINES = 10;

/** The result of a replay, counted while it runs; the fields of `replay --json`. */
export const createSummary = (recording: Recording) => ({
  rows: recording.rows,
  devices: new Set(recording.fixes.map(({ deviceId }) => deviceId)).size,
  vehiclesAdded: 0,
  accepted: 0,
  /** lines at 0,0, which the service acknowledges and does not store */
  withoutPosition: [] as number[],
  /** by code; the detail is the service's of the first of them */
  refused: [] as { status: number; code: string; detail: string; lines: number[] }[],
  unreadable: recording.unreadable,
  withoutSpeed: recording.withoutSpeed,
  /** fixes without a response, because the replay was stopped */
  unsent: recording.fixes.length,
  durationMs: 0,
});
export type ReplaySummary = ReturnType<typeof createSummary>;

export const countOutcome = (summary: ReplaySummary, fixes: ReplayFix[], outcome: Outcome): void => {
  if (outcome.kind === 'stopped') return;
  summary.unsent -= fixes.length;
  if (outcome.kind === 'accepted') {
    const atZero = fixes.filter(({ lat, lng }) => lat === 0 && lng === 0);
    summary.accepted += fixes.length - atZero.length;
    summary.withoutPosition.push(...atZero.map(({ line }) => line));
    return;
  }
  const { status, code, detail } = outcome;
  let refusal = summary.refused.find((each) => each.code === code);
  if (refusal === undefined) summary.refused.push((refusal = { status, code, detail, lines: [] }));
  refusal.lines.push(...fixes.map(({ line }) => line));
};

export const toSummaryLines = (summary: ReplaySummary): string[] => {
  const { rows, devices, vehiclesAdded, accepted, withoutPosition, refused, unsent, durationMs } = summary;
  const seconds = durationMs / 1000;
  const rate = Math.round(accepted / Math.max(seconds, 0.001)).toLocaleString('en-US');
  const toFixes = (count: number): string => toCount(count, 'fix', 'fixes');
  const toNotes = (notes: LineNote[], what: string): string[] =>
    group(notes).map(
      ({ message, lines }) => `${toCount(lines.length, 'row')} ${what}, ${toLines(lines)}: ${message}`,
    );
  const parts = [
    vehiclesAdded > 0 && `${toCount(vehiclesAdded, 'vehicle')} added to the roster`,
    `${toFixes(accepted)} accepted (${rate} a second)`,
    withoutPosition.length > 0 &&
      `${toCount(withoutPosition.length, 'report')} without a position, ${toLines(withoutPosition)}: at 0,0`,
    ...refused.map(
      ({ status, code, detail, lines }) =>
        `${toFixes(lines.length)} refused with ${status} ${code}, ${toLines(lines)}: ${detail}`,
    ),
    ...toNotes(summary.unreadable, 'unreadable'),
    ...toNotes(summary.withoutSpeed, 'sent without a speed'),
    unsent > 0 && `${toFixes(unsent)} not sent: the replay was stopped`,
  ];
  return [
    `${toCount(rows, 'row')} of ${toCount(devices, 'device')} replayed in ${seconds.toFixed(1)} s.`,
    ...parts.filter((part) => part !== false).map((part) => `  ${part}`),
  ];
};

const group = (notes: LineNote[]): { message: string; lines: number[] }[] => {
  const lines = new Map<string, number[]>();
  for (const { message, line } of notes) lines.set(message, [...(lines.get(message) ?? []), line]);
  return [...lines].map(([message, each]) => ({ message, lines: each }));
};

const toLines = (lines: number[]): string => {
  const named = [...lines].sort((a, b) => a - b).slice(0, NAMED_LINES);
  const more =
    lines.length > named.length ? ` and ${(lines.length - named.length).toLocaleString('en-US')} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${more}`;
};

const PROGRESS_EVERY_MS = 5_000;

export interface ReplayOptions extends Omit<PlanOptions, 'nowMs'> {
  /** the address under which /ingest lies, without a slash at its end */
  baseUrl: string;
  token: string;
  /** requests under way at once */
  concurrency: number;
}

/**
 * Sends a recording through ingest and resolves to its summary. It continues after refusals and stops on the context's
 * signal.
 * @throws CommandFailure as createReportSender does
 */
export const replayRecording = async (
  recording: Recording,
  options: ReplayOptions,
  context: CommandContext,
): Promise<ReplaySummary> => {
  const { now, stderr } = context;
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const startedAtMs = now();
  const reports = toReports(recording.fixes, { ...options, nowMs: startedAtMs });
  const summary = createSummary(recording);
  const progress = createProgress(context, recording.fixes.length);
  const send = createReportSender({
    fetch: context.fetch ?? fetch,
    token: options.token,
    signal,
    onRetry: createRetryNotice(stderr),
  });
  await runAll(reports, options.concurrency, failed, async (report) => {
    await waitUntil(report.sendAtMs, now, signal);
    if (signal.aborted) return false;
    const { url, init } = toDeviceRequest(`${options.baseUrl}/ingest`, options.protocol, report.fixes);
    countOutcome(summary, report.fixes, await send(url, init));
    progress(summary.unsent);
    return true;
  });
  summary.durationMs = now() - startedAtMs;
  return summary;
};

/** Runs the reports in order, several at once, until `act` returns false or throws, which ends the others. */
const runAll = async (
  reports: Report[],
  concurrency: number,
  failed: AbortController,
  act: (report: Report) => Promise<boolean>,
): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    try {
      while (next < reports.length && (await act(reports[next++]!)));
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, reports.length) }, work);
  // All workers end before the first failure is thrown, so that nothing keeps running afterwards.
  await Promise.allSettled(workers);
  await Promise.all(workers);
};

const waitUntil = async (timeMs: number, now: () => number, signal: AbortSignal): Promise<void> => {
  const waitMs = timeMs - now();
  if (waitMs <= 0) return;
  await sleep(waitMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};

const createProgress = ({ now, stderr }: CommandContext, total: number) => {
  let printedAtMs = now();
  return (unsent: number): void => {
    if (now() - printedAtMs < PROGRESS_EVERY_MS) return;
    printedAtMs = now();
    stderr(`${(total - unsent).toLocaleString('en-US')} of ${toCount(total, 'fix', 'fixes')} sent`);
  };
};

/** One line for a failure that all workers meet, not one per worker. */
const createRetryNotice = (stderr: (line: string) => void) => {
  let printed = '';
  return (reason: string, waitMs: number): void => {
    const notice = `The service does not answer (${reason}); trying again in ${waitMs / 1000} s.`;
    if (notice !== printed) stderr(notice);
    printed = notice;
  };
};
