import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveReader, toNextPollMs, type LiveReading } from '@/lib/live/live-reader';
import { createRandom } from '@/service/simulator/random';
import type { RunningApplication } from '../server/processes';
import { SOAK_SEED, SOAK_USDOT } from './plan';

/** Browsers that watch one fleet, as far as what they receive and hold goes. */
export interface Viewers {
  /** What each holds now. */
  readings: readonly LiveReading[];
  polls(): number;
  /** Each time that our own server gave no usable answer, in words. */
  failures: readonly string[];
  /** Answers in which a secret stood. */
  leaks: readonly string[];
  /** Kinds of problem that the screens showed. */
  problems: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Share of polls after which a computer sleeps: it then requests changes since a version that is no longer kept. */
const SLEEP_SHARE = 0.01;
const ASLEEP_MS = 40_000;

/** The application, and the session that all of them share. */
type Watched = Pick<RunningApplication, 'url' | 'cookie'>;

const createFetch =
  ({ url, cookie }: Watched, secrets: readonly string[], leaks: string[]): typeof fetch =>
  async (path, init) => {
    const response = await fetch(`${url}${String(path)}`, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), cookie },
    });
    if (response.status === 304) return response;
    const body = Buffer.from(await response.arrayBuffer());
    if (secrets.some((secret) => body.includes(secret))) leaks.push(`${response.status} ${String(path)}`);
    return new Response(body, {
      status: response.status,
      headers: { date: response.headers.get('date') ?? '' },
    });
  };

/** Each polls with the code of the page, at the interval that the server gives. */
export const startViewers = (application: Watched, count: number, secrets: readonly string[]): Viewers => {
  const stopping = new AbortController();
  // Each viewer that pauses listens.
  setMaxListeners(count + 1, stopping.signal);
  const failures: string[] = [];
  const leaks: string[] = [];
  const problems = new Set<string>();
  const readings: LiveReading[] = [];
  let polls = 0;

  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const view = async (viewer: number): Promise<void> => {
    const random = createRandom(SOAK_SEED, viewer);
    const reader = new LiveReader({
      usdot: SOAK_USDOT,
      fetch: createFetch(application, secrets, leaks),
      now: Date.now,
      isOnline: () => true,
    });
    await pause(random.between(0, 1000));
    while (!stopping.signal.aborted) {
      const reading = await reader.read();
      readings[viewer] = reading;
      polls++;
      if (reading.failure) failures.push(reading.failure.message);
      if (reading.fleet?.feed.problem) problems.add(reading.fleet.feed.problem.kind);
      await pause(random.next() < SLEEP_SHARE ? ASLEEP_MS : toNextPollMs(reading, false));
    }
  };
  const viewing = Promise.all(Array.from({ length: count }, (_, viewer) => view(viewer)));
  return {
    readings,
    polls: () => polls,
    failures,
    leaks,
    problems,
    stop: async () => {
      stopping.abort();
      await viewing;
    },
  };
};
