import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from '../command';

/** The service's response to a report, or that the command was stopped before it came. */
export type Outcome =
  | { kind: 'accepted' }
  | { kind: 'refused'; status: number; code: string; detail: string }
  | { kind: 'stopped' };

export interface SenderOptions {
  fetch: typeof fetch;
  token: string;
  signal: AbortSignal;
  /** called before each wait for a service that does not respond */
  onRetry: (reason: string, waitMs: number) => void;
  /** the waits between attempts, in milliseconds; when they are used up the replay fails */
  waitsMs?: number[];
}

/** About a minute in all: longer than a service takes to start again. */
const DEFAULT_WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Sends reports as a device does: again after a failure of the network or the service, never after a refusal.
 * @throws CommandFailure when the token is refused, there is no ingest at the address, or all attempts have failed
 */
export const createReportSender = (options: SenderOptions) => {
  const { token, signal, onRetry, waitsMs = DEFAULT_WAITS_MS } = options;
  const inFlight = new Set<AbortController>();
  signal.addEventListener('abort', () => inFlight.forEach((controller) => controller.abort()), {
    once: true,
  });

  const attempt = async (
    url: string,
    init: RequestInit,
  ): Promise<Outcome | { kind: 'again'; reason: string; waitMs: number }> => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), REQUEST_TIMEOUT_MS);
    inFlight.add(controller);
    try {
      const headers = { ...init.headers, authorization: `Bearer ${token}` };
      const response = await options.fetch(url, { ...init, headers, signal: controller.signal });
      // Read to the end, or the connection cannot be used again.
      const body = await response.text();
      return toOutcome(response, body, url);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      if (signal.aborted) return { kind: 'stopped' };
      return { kind: 'again', reason: toReason(error), waitMs: 0 };
    } finally {
      clearTimeout(timer);
      inFlight.delete(controller);
    }
  };

  return async (url: string, init: RequestInit): Promise<Outcome> => {
    for (let attempts = 0; ; attempts++) {
      if (signal.aborted) return { kind: 'stopped' };
      const outcome = await attempt(url, init);
      if (outcome.kind !== 'again') return outcome;
      const waitMs = waitsMs[attempts];
      if (waitMs === undefined) {
        throw new CommandFailure(
          `${toOrigin(url)} did not take a report in ${attempts + 1} attempts: ${outcome.reason}`,
        );
      }
      const longerMs = Math.max(waitMs, outcome.waitMs);
      onRetry(outcome.reason, longerMs);
      await sleep(longerMs, undefined, { signal }).catch(ignoreAbort);
    }
  };
};

/** An abort ends the wait; the loop checks the signal next. */
const ignoreAbort = (error: unknown): void => {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
};

const toOutcome = (
  response: Response,
  body: string,
  url: string,
): Outcome | { kind: 'again'; reason: string; waitMs: number } => {
  const { status } = response;
  if (status === 200) return { kind: 'accepted' };
  if (status === 429 || status >= 500) {
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0;
    return { kind: 'again', reason: `status ${status}`, waitMs };
  }
  if (status === 401) {
    throw new CommandFailure(
      `${toOrigin(url)} refuses the ingest token. Is it of another service, or revoked? Make one with: tokens create`,
    );
  }
  const problem = parseProblem(body);
  if (problem === null)
    throw new CommandFailure(`There is no ingest at ${toOrigin(url)}: it answered with status ${status}.`);
  return { kind: 'refused', status, ...problem };
};

const REFUSED = ['invalid_input', 'clock_fault', 'unknown_device', 'batch_too_large', 'body_too_large'];

/** The code and detail of an ingest problem; null for any other answer. */
const parseProblem = (body: string): { code: string; detail: string } | null => {
  try {
    const { code, detail } = JSON.parse(body) as { code?: unknown; detail?: unknown };
    return typeof code === 'string' && REFUSED.includes(code) ? { code, detail: String(detail) } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Without the path, which may hold a token, and the query, which holds the report. */
const toOrigin = (url: string): string => new URL(url).origin;

const toReason = (error: unknown): string => {
  const { message, cause } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return code === undefined ? message : `${message} (${code})`;
};
