import 'server-only';
import { toRetryAfterMs } from './feed-problem';
import type { LiveSettings } from '../settings';

/** Jitter: by how much a wait may be shorter or longer than planned, so that servers do not retry in step. */
const JITTER = 0.25;

/**
 * The wait after `failures` failures in a row, in ms: the poll interval, doubled each time up to
 * `maxBackoffMs`, plus or minus a quarter; never less than the provider's Retry-After. `random` is in [0, 1).
 */
export const toRetryDelayMs = (
  failures: number,
  pollIntervalMs: number,
  retryAfterMs: number | null,
  random: number,
  settings: Pick<LiveSettings, 'maxBackoffMs' | 'maxRetryAfterMs'>,
): number => {
  const longestMs = Math.max(pollIntervalMs, settings.maxBackoffMs);
  const plannedMs = Math.min(longestMs, pollIntervalMs * 2 ** Math.min(30, failures - 1));
  const jitteredMs = plannedMs * (1 - JITTER + 2 * JITTER * random);
  return Math.max(jitteredMs, Math.min(settings.maxRetryAfterMs, retryAfterMs ?? 0));
};

/** How long to wait in ms before the roster or the account is requested again after `error`. */
export const toSideRetryMs = (
  error: unknown,
  { sideRetryMs, maxRetryAfterMs }: Pick<LiveSettings, 'sideRetryMs' | 'maxRetryAfterMs'>,
): number => Math.max(sideRetryMs, Math.min(maxRetryAfterMs, toRetryAfterMs(error) ?? 0));
