import { clockOf } from '@/testing/clock';
import { vi } from 'vitest';
import { createTrackingClient } from '@/lib/tracking/client';
import type { AnswerLimits } from '@/lib/tracking/limits';
import type { Behavior } from '@/testing/tracking/faults';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits, type ScriptedUnit } from '@/testing/tracking/scripted-units';
import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { applyLiveAnswer } from '@/lib/wire/live';
import { REASONS, STATUSES, toFlags, type Flag } from '@/lib/motion/status';
import type { Clock } from '@/lib/base/clock';
import { PolledFeeds, type Feed } from '@/lib/feeds/feeds';
import type { LiveSettings } from '@/lib/fleet/settings';
import { readWhole } from './watched-feed';

export const FAULTY_USDOT = '9100001';
export const FLEET_UNITS = 20;
const POLL_MS = 10_000;
const START_MS = Date.UTC(2026, 2, 10, 14);

const LIMITS: AnswerLimits = { headersTimeoutMs: 10_000, timeoutMs: 15_000, maxAnswerBytes: 2 ** 20 };
/** For faults that hang: short enough for a test. */
export const SHORT: Partial<AnswerLimits> = { headersTimeoutMs: 250, timeoutMs: 800 };

/** A unit's position, time and status, as a browser receives them. */
export interface Seen {
  lat: number | null;
  lng: number | null;
  fixAtS: number;
  status: string;
  reason: string;
  speedKph: number;
  flags: Flag[];
}

export interface FaultyFeed {
  provider: FaultyProvider;
  feed: Feed;
  /** Lets the feed poll once more, when it is due; returns how long it had waited for that, ms. */
  poll(): Promise<number>;
  /** The same once a poll interval, for a given time. */
  pollFor(ms: number): Promise<void>;
  read(): Promise<Fleet>;
  logged: string[];
  now(): number;
}

/** A unit's position in a fleet as a browser receives it, by its key. */
export const seeUnits = ({ identities, columns }: Fleet): Map<string, Seen> =>
  new Map(
    identities.flatMap((identity, row) => {
      if (identity === null) return [];
      const isPlaced = columns.latE5[row] !== NO_POSITION;
      const seen: Seen = {
        lat: isPlaced ? columns.latE5[row]! * DEGREES_PER_E5 : null,
        lng: isPlaced ? columns.lngE5[row]! * DEGREES_PER_E5 : null,
        fixAtS: columns.fixAtS[row]!,
        status: STATUSES[columns.status[row]!]!,
        reason: REASONS[columns.reason[row]!]!,
        speedKph: columns.speedKph[row]!,
        flags: toFlags(columns.flags[row]!),
      };
      return [[identity.key, seen] as const];
    }),
  );

/**
 * A feed with the real client that polls a faulty provider over HTTP, on a clock that steps from poll to
 * poll. Its fleet has FLEET_UNITS units and was read twice when it is returned.
 */
export const setUpFaultyFeed = async (
  settings: Partial<LiveSettings> = {},
  limits: Partial<AnswerLimits> = {},
  begin: { behavior?: Behavior; units?: readonly ScriptedUnit[] } = {},
): Promise<FaultyFeed> => {
  let nowMs = START_MS;
  const now = () => nowMs;
  const timers = new Map<number, { run: () => void; atMs: number }>();
  let scheduled = 0;
  const setTimer: Clock['setTimer'] = (run, delayMs) => {
    const id = ++scheduled;
    timers.set(id, { run, atMs: nowMs + delayMs });
    return () => void timers.delete(id);
  };
  const provider = await startFaultyProvider({ now });
  provider.give(FAULTY_USDOT, begin.units ?? createScriptedUnits(FLEET_UNITS));
  provider.behave(FAULTY_USDOT, begin.behavior ?? 'good');
  const logged: string[] = [];
  const client = createTrackingClient({
    fetch,
    baseUrl: provider.baseUrl,
    credentials: provider.credentials,
    clock: clockOf(now),
    limits: { ...LIMITS, ...limits },
  });
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: clockOf(now, setTimer),
    pollIntervalMs: POLL_MS,
    // Look-ups between polls have timers of their own.
    settings: { ...settings, carrierPauseMs: null },
    random: () => 0.5,
    onProblem: (_, problem, error) => logged.push(`${JSON.stringify(problem)} ${String(error)}`),
  });
  const feed = feeds.feed(FAULTY_USDOT);
  const read = async () => applyLiveAnswer(null, await readWhole(feed));

  const poll = async (): Promise<number> => {
    await feed.answer(null, 'identity');
    const [[id, { run, atMs }]] = [...timers] as [[number, { run: () => void; atMs: number }]];
    const waitedMs = atMs - nowMs;
    timers.delete(id);
    nowMs = Math.max(nowMs, atMs);
    // A waiting request keeps the feed awake, as a browser does.
    await feed.answer(null, 'identity');
    run();
    await vi.waitFor(
      () => {
        if (timers.size === 0) throw new Error('The poll is still under way.');
      },
      { timeout: 10_000, interval: 2 },
    );
    return waitedMs;
  };

  await read();
  await vi.waitFor(() => {
    if (timers.size !== 1) throw new Error('The first poll is still under way.');
  });
  await poll();
  return {
    provider,
    feed,
    poll,
    pollFor: async (ms) => {
      for (const untilMs = nowMs + ms; nowMs < untilMs;) await poll();
    },
    read,
    logged,
    now,
  };
};
