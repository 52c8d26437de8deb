import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster';
import { toBackoffMs } from '@/lib/base/time';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

interface SupervisorOptions {
  /** The running server; null if it could not be started. */
  first: Postmaster | null;
  /** Restarts it at its known address. Aborted when it is no longer wanted. */
  start: (signal: AbortSignal) => Promise<Postmaster>;
  say: (line: string) => void;
  /** Called for each restarted server. */
  onStarted: (pid: number) => void;
  /** Delay before a start in ms, by the number of failures in a row. */
  toPauseMs?: (failures: number) => number;
}

interface Supervisor {
  /** Ends the server for good. */
  stop(): Promise<void>;
}

/** Restarts a PostgreSQL whenever it ends by itself or fails to start, until it is stopped. */
export const supervisePostmaster = (options: SupervisorOptions): Supervisor => {
  const {
    start,
    say,
    onStarted,
    toPauseMs = (failures) => toBackoffMs(failures + 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS),
  } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = options.first;
  let failures = 0;
  let lastLine = '';

  const sayOnce = (line: string): void => {
    if (line !== lastLine) say(line);
    lastLine = line;
  };

  const untilEnded = async ({ ended }: Postmaster): Promise<void> => {
    await ended;
    if (signal.aborted) return;
    current = null;
    sayOnce('PostgreSQL ended unexpectedly. Linehaul goes on without it, and starts it again');
  };

  const startAgain = async (): Promise<void> => {
    try {
      await sleep(toPauseMs(failures), undefined, { signal });
      current = await start(signal);
      failures = 0;
      onStarted(current.pid);
      sayOnce(`PostgreSQL runs again (process ${current.pid})`);
    } catch (error) {
      failures++;
      if (!signal.aborted) sayOnce(`${(error as Error).message}\nPostgreSQL is tried again until it starts`);
    }
  };

  const supervise = async (): Promise<void> => {
    while (!signal.aborted) {
      if (current === null) await startAgain();
      else await untilEnded(current);
    }
  };
  const supervised = supervise();

  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await supervised;
      // A server that was still starting at the stop.
      await current?.stop();
    },
  };
};
