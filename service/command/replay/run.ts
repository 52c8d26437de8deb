import { setTimeout as sleep } from 'node:timers/promises';
import { toCount } from '../output';
import { toReports } from './plan';
import { toRequest } from './request';
import { countOutcome, createSummary } from './summary';
import { createReportSender } from './report-sender';
import type { CommandContext } from '../context';
import type { Recording } from './recording';
import type { ReplayProtocol, Report, Shift } from './plan';
import type { ReplaySummary } from './summary';

/** How often the reader is told how far it is, in milliseconds. */
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
 * Sends a recording through ingest and resolves to what became of it. It goes on after refusals and stops on the
 * context's signal.
 * @throws CommandFailure as createReportSender says
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
    const { url, init } = toRequest(options.protocol, options.baseUrl, report.fixes);
    countOutcome(summary, report.fixes, await send(url, init));
    progress(summary.unsent);
    return true;
  });
  summary.durationMs = now() - startedAtMs;
  return summary;
};

/** Runs the reports in order, several at once, until one says that it is over or fails, which ends the others. */
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
  // Every worker comes to its end before the first failure is told, so that nothing runs on behind the reader's back.
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
  let toldAtMs = now();
  return (unsent: number): void => {
    if (now() - toldAtMs < PROGRESS_EVERY_MS) return;
    toldAtMs = now();
    stderr(`${(total - unsent).toLocaleString('en-US')} of ${toCount(total, 'fix', 'fixes')} sent`);
  };
};

/** One line for a failure that all workers meet, not one for each of them. */
const createRetryNotice = (stderr: (line: string) => void) => {
  let told = '';
  return (reason: string, waitMs: number): void => {
    const notice = `The service does not answer (${reason}); trying again in ${waitMs / 1000} s.`;
    if (notice !== told) stderr(notice);
    told = notice;
  };
};
