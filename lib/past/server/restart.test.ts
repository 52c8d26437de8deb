import { afterEach, expect, it, vi } from 'vitest';
import { createFakeClient } from '@/testing/live/fake-client';
import { setUpRecording } from '@/testing/history/recording';
import { systemClock } from '@/lib/base/clock';
import { TrackingError } from '@/lib/tracking/errors';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { POLL_MS, readWhole } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { FeedStart } from '@/lib/feeds/feed/feed';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { FeedProblem, FleetRows } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import { readRecordedUnits } from '@/lib/recording/recorded-fleet';

const USDOT = '9000001';

const held = setUpRecording();

const createTracker = () => new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);

/** One answer: a unit that drives at 60 km/h, one that stands still, and others. */
const observe = (tracker: FleetTracker, minute: number, others: readonly TrackedUnit[] = []): void =>
  tracker.observe(
    [unitAt('DRIVES', minute, minute * 1000), unitAt('STANDS', minute, 0), ...others],
    null,
    START_MS + minute * MINUTE_MS + 2000,
  );

const record = async (tracker: FleetTracker): Promise<void> => {
  const changes = tracker.takeChanges(tracker.copyRows())!;
  await held.write({ usdot: USDOT, seenMs: changes.seenMs, changes });
};

it.each(['before', 'after'])(
  'after a restart each unit is judged as if there had been none, also where the fixes come %s the first answer',
  async (when) => {
    const before = createTracker();
    for (let minute = 0; minute < 90; minute++) {
      observe(before, minute);
      await record(before);
    }
    const after = createTracker();
    const recorded = await readRecordedUnits(held.pool, USDOT, START_MS + 60 * MINUTE_MS);
    if (when === 'before') after.restore(recorded);
    for (const tracker of [before, after]) observe(tracker, 90);
    if (when === 'after') after.restore(recorded);
    for (const tracker of [before, after]) observe(tracker, 91);
    for (const key of ['DRIVES', 'STANDS']) {
      const [expected, found] = [before, after].map((tracker) => tracker.detail(key, 'v')!);
      const { status, reason, sinceMs, usualIntervalMs, flags } = expected!;
      expect(found).toMatchObject({ status, reason, sinceMs, usualIntervalMs, flags });
      expect(status).toBe(key === 'DRIVES' ? 'moving' : 'stopped');
    }
    expect(after.takeChanges(after.copyRows())).toMatchObject({ fixes: { count: 4 } });
  },
);

it('after a restart the units that the provider does not list are those of before', async () => {
  const [LEFT, GOES] = ['1FUJHHDR6SLAP5397', '1XKYD49X5FJ440021'];
  const before = createTracker();
  for (let minute = 0; minute < 60; minute++) {
    const driving = minute < 20 ? [unitAt(LEFT, minute, minute * 1000)] : [];
    observe(before, minute, [...driving, unitAt(GOES, minute, 0)]);
    await record(before);
  }
  const after = createTracker();
  // Of the one that left, no fix was seen since.
  after.restore(await readRecordedUnits(held.pool, USDOT, START_MS + 30 * MINUTE_MS));
  for (let minute = 60; minute < 80; minute++)
    for (const tracker of [before, after]) observe(tracker, minute);
  for (const key of [LEFT, GOES]) {
    const [expected, found] = [before, after].map((tracker) => tracker.detail(key, 'v')!);
    const { identity, status, reason, sinceMs } = expected!;
    expect(found).toMatchObject({ identity, status, reason, sinceMs });
    expect(reason).toBe(key === LEFT ? 'vanishedMoving' : 'vanishedStopped');
  }
});

it.each([
  ['late', 20],
  ['quiet', 600],
  ['vanished', 600],
])(
  'a parked unit that is %s at a restart has stood since it parked, and keeps its rhythm, once it reports again',
  async (what, silentMin) => {
    const PARKS = '1XKYD49X5FJ440021';
    const roster = new Set([PARKS]);
    const [before, after] = [createTracker(), createTracker()];
    const see = (tracker: FleetTracker, minute: number, fixMinute = minute): void => {
      const isListed = what !== 'vanished' || minute - fixMinute < 30;
      const units = isListed ? [unitAt(PARKS, fixMinute, 0)] : [];
      tracker.observe(units, roster, START_MS + minute * MINUTE_MS + 2000);
    };
    const lastMinute = 180;
    for (let minute = 0; minute <= lastMinute; minute += 5) {
      see(before, minute);
      await record(before);
    }
    const restartMinute = lastMinute + silentMin;
    for (let minute = lastMinute + 10; minute <= restartMinute; minute += 10) {
      see(before, minute, lastMinute);
      const changes = before.takeChanges(before.copyRows());
      if (changes) await held.write({ usdot: USDOT, seenMs: changes.seenMs, changes });
    }
    after.restore(await readRecordedUnits(held.pool, USDOT, START_MS + (restartMinute - 120) * MINUTE_MS));
    for (const tracker of [before, after]) {
      see(tracker, restartMinute + 1, lastMinute);
      for (const minute of [2, 7]) see(tracker, restartMinute + minute);
    }
    const [expected, found] = [before, after].map((tracker) => tracker.detail(PARKS, 'v')!);
    const { status, reason, sinceMs, usualIntervalMs } = expected!;
    expect(found).toMatchObject({ status, reason, sinceMs, usualIntervalMs });
    expect({ status, sinceMs, usualIntervalMs }).toEqual({
      status: 'stopped',
      sinceMs: START_MS,
      usualIntervalMs: 5 * MINUTE_MS,
    });
  },
);

/** What each unit of a fleet is, by its key. */
const say = ({ identities, columns }: FleetRows) =>
  Object.fromEntries(
    identities.flatMap((identity, row) => {
      const { status, reason, sinceS, latE5, fixAtS } = columns;
      return identity === null
        ? []
        : [[identity.key, [status[row], reason[row], sinceS[row], latE5[row], fixAtS[row]]]];
    }),
  );

const AWAY_MS = START_MS + 64 * MINUTE_MS;
const ANSWERED_MS = START_MS + 59 * MINUTE_MS + 2000;

/** An hour of answers, with the coverage. */
const recordHour = async (tracker: FleetTracker, observeMinute: typeof observe): Promise<void> => {
  for (let minute = 0; minute < 60; minute++) {
    observeMinute(tracker, minute);
    await record(tracker);
  }
  const interval = { fromMs: START_MS, toMs: ANSWERED_MS, state: 'answered' as const, problem: null };
  await held.write({ usdot: USDOT, seenMs: ANSWERED_MS, coverage: [interval] });
};

const readRecorded = async (usdot: string): Promise<FeedStart> => ({
  units: await readRecordedUnits(held.pool, usdot, START_MS),
  watch: null,
});

/** A feed that starts 4 min after the last recorded answer, and what its polls have recorded. */
const startFeed = ({ readStart = readRecorded, restoreGraceMs = 10_000, pollIntervalMs = POLL_MS } = {}) => {
  vi.useFakeTimers({ toFake: ['Date'], now: AWAY_MS });
  const { provider, client } = createFakeClient(Date.now);
  const recorded: PollChanges[] = [];
  const problems: FeedProblem[] = [];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs,
    settings: { isRecorded: true, tryNowEveryMs: 0, restoreGraceMs },
    readStart,
    onPolled: (_, changes) => changes && recorded.push(changes),
    onProblem: (_, problem) => problems.push(problem),
  });
  return { provider, feeds, feed: feeds.feed(USDOT), recorded, problems };
};
afterEach(() => {
  vi.useRealTimers();
});

it('after a restart without its provider a fleet is that of the last answer, of that time, and goes on from it', async () => {
  const [DRIVES, STANDS, LEFT] = ['1FUJHHDR6SLAP5397', '1XKYD49X5FJ440021', '1FUJHHDR5NLAP4200'];
  const before = createTracker();
  const observeVins = (tracker: FleetTracker, minute: number): void => {
    const left = minute < 20 ? [unitAt(LEFT, minute, minute * 1000)] : [];
    const units = [unitAt(DRIVES, minute, minute * 1000), unitAt(STANDS, minute, 0), ...left];
    tracker.observe(units, null, START_MS + minute * MINUTE_MS + 2000);
  };
  await recordHour(before, observeVins);

  const { provider, feeds, feed, recorded } = startFeed();
  provider.units = async () => {
    throw new TrackingError('network', 'The tracking API could not be reached.');
  };
  const away = applyLiveAnswer(null, await readWhole(feed));
  expect(away.feed).toMatchObject({
    fetchedAtMs: ANSWERED_MS,
    staleSinceMs: AWAY_MS,
    activeUnits: 2,
    problem: { kind: 'network' },
  });
  expect(say(away)).toEqual(say(before.copyRows()));

  provider.units = async () => [unitAt(DRIVES, 64, 64_000), unitAt(STANDS, 64, 0)];
  await feed.tryNow();
  const back = applyLiveAnswer(null, await readWhole(feed));
  expect(back.feed).toMatchObject({ staleSinceMs: null, problem: null });
  observeVins(before, 64);
  expect(say(back)).toEqual(say(before.copyRows()));
  expect(recorded).toMatchObject([{ fixes: { count: 2 } }]);
  await feeds.close();
});

it('a recording that is read after the first answer does not take its place once a poll fails', async () => {
  await recordHour(createTracker(), observe);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const readLate = (usdot: string) => released.then(() => readRecorded(usdot));
  const { provider, feeds, feed } = startFeed({
    readStart: readLate,
    restoreGraceMs: 0,
    pollIntervalMs: 2000,
  });
  provider.units = async () => [unitAt('DRIVES', 64, 64_000), unitAt('STANDS', 64, 0)];
  const live = applyLiveAnswer(null, await readWhole(feed));
  provider.units = async () => {
    throw new TrackingError('network', 'The tracking API could not be reached.');
  };
  // It is read before the next poll.
  release();
  await expect
    .poll(async () => applyLiveAnswer(null, await readWhole(feed)).feed.problem?.kind)
    .toBe('network');
  const failed = applyLiveAnswer(null, await readWhole(feed));
  expect(failed.feed.fetchedAtMs).toBe(live.feed.fetchedAtMs);
  expect(failed.columns.fixAtS).toEqual(live.columns.fixAtS);
  await feeds.close();
});

it('a recording that cannot be read is a problem of which the log learns, and the fleet is shown without it', async () => {
  const { provider, feeds, feed, problems } = startFeed({
    readStart: async () => {
      throw new Error('No identity.');
    },
  });
  provider.units = async () => [unitAt('DRIVES', 64, 64_000)];
  expect(applyLiveAnswer(null, await readWhole(feed)).feed).toMatchObject({ activeUnits: 1, problem: null });
  expect(problems).toMatchObject([{ kind: 'internal', detail: 'Error: No identity.' }]);
  await feeds.close();
});

it.each(
  ['before', 'after'].flatMap((when) =>
    (['1FUJHHDR6SLAP5397', 'device:D1'] as const).map((was) => ({ when, was })),
  ),
)(
  'a VIN that is corrected while no server runs makes no twin of $was, where the recording comes $when the first answer',
  async ({ when, was }) => {
    const [IS, OTHER] = ['1XKYD49X5FJ440021', '1M8GDM9AXKP042788'];
    const isDevice = was === 'device:D1';
    const names = { deviceId: 'D1', truckNumber: '116', plateState: 'TX', plateNumber: 'R48' };
    const look = async (tracker: FleetTracker, minute: number, key: string): Promise<void> => {
      const other = unitAt(OTHER, minute, 0, { identity: identityOf(OTHER, { deviceId: 'D9' }) });
      const given = key === 'device:D1' ? { deviceId: 'D1', vin: null } : names;
      const units = [unitAt(key, minute, minute * 1000, { identity: identityOf(key, given) }), other];
      tracker.observe(units, new Set([isDevice ? IS : was, OTHER]), START_MS + minute * MINUTE_MS + 2000);
      await record(tracker);
    };
    const before = createTracker();
    for (let minute = 0; minute < 60; minute++) await look(before, minute, was);
    const after = createTracker();
    const recorded = await readRecordedUnits(held.pool, USDOT, START_MS);
    if (when === 'before') after.restore(recorded);
    await look(after, 60, IS);
    if (when === 'after') after.restore(recorded);
    await look(after, 61, IS);
    await look(after, 62, IS);
    const keys = after.copyRows().identities.flatMap((identity) => identity?.key ?? []);
    expect(keys.sort()).toEqual([OTHER, IS].sort());
    const [expected, found] = [before.detail(was, 'v')!, after.detail(IS, 'v')!];
    expect(found).toMatchObject({ status: 'moving', sinceMs: expected.sinceMs });
    const flags = found.flags.map(({ text }) => text).join(' ');
    expect(flags.includes(`belonged to ${was} until`)).toBe(!isDevice);
    expect(after.takeRenamed()).toEqual([[was, IS]]);
    const trail = await held.reader.readTrail(USDOT, IS, START_MS, START_MS + 70 * MINUTE_MS);
    expect(trail).toHaveLength(63);
    expect(await held.reader.readTrail(USDOT, was, START_MS, START_MS + 70 * MINUTE_MS)).toEqual([]);
  },
);

/** The keys of a unit, which has a VIN some time after a restart. */
const [IS, DEVICE] = ['1XKYD49X5FJ440021', 'device:D1'];
const truckAt = (minute: number, key: string) =>
  unitAt(key, minute, minute * 1000, { identity: identityOf(key, { deviceId: 'D1' }) });

/** The tracker before the restart, which has recorded an hour of the unit without its VIN. */
const recordDevice = async (): Promise<FleetTracker> => {
  const tracker = createTracker();
  for (let minute = 0; minute < 60; minute++) {
    observe(tracker, minute, [truckAt(minute, DEVICE)]);
    await record(tracker);
  }
  return tracker;
};

it('a unit without a VIN that is missing at a restart is on the map as before, and is known by its device once it has one', async () => {
  const before = await recordDevice();
  const after = createTracker();
  after.restore(await readRecordedUnits(held.pool, USDOT, START_MS));
  for (const tracker of [before, after]) observe(tracker, 60);
  const [expected, found] = [before, after].map((tracker) => tracker.detail(DEVICE, 'v')!);
  const { identity, status, reason, sinceMs } = expected!;
  expect(found).toMatchObject({ identity, status, reason, sinceMs });
  observe(after, 61, [truckAt(61, IS)]);
  expect(after.takeRenamed()).toEqual([[DEVICE, IS]]);
  expect(after.detail(DEVICE, 'v')).toBeNull();
});

it('a unit that gets a VIN before it continues from its recording makes no twin', async () => {
  await recordDevice();
  const recorded = await readRecordedUnits(held.pool, USDOT, START_MS);
  const after = createTracker();
  observe(after, 60, [truckAt(60, DEVICE)]);
  observe(after, 61, [truckAt(61, IS)]);
  after.restore(recorded);
  observe(after, 62, [truckAt(62, IS)]);
  expect(after.detail(DEVICE, 'v')).toBeNull();
  expect(after.detail(IS, 'v')).toMatchObject({ status: 'moving', sinceMs: START_MS });
});
