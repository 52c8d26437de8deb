import { setTimeout as sleep } from 'node:timers/promises';
import { toDeviceRequest } from '../../simulator/device-request';
import type { CommandContext } from '../command';
import { toCount } from '../output';
import { toReports, type ReplayProtocol, type PlannedReport, type Shift } from './plan';
import type { Recording } from './recording';
import { createReportSender } from './report-sender';
import { countOutcome, createSummary, type ReplaySummary } from './summary';

/** Interval of progress lines. */
const PROGRESS_EVERY_MS = 5_000;

export interface ReplayOptions {
  /** the address under which /ingest lies, without a slash at its end */
  baseUrl: string;
  token: string;
  protocol: ReplayProtocol;
  shift: Shift;
  pace: number;
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
  reports: PlannedReport[],
  concurrency: number,
  failed: AbortController,
  act: (report: PlannedReport) => Promise<boolean>,
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
