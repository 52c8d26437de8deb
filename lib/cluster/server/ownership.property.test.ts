import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { IS_LONG } from '@/testing/long';
import {
  LEASE_MS,
  type Beat,
  type LeaseStore,
  type LeaseView,
  type LeasedFleet,
  type OwnLease,
  type TakenLease,
} from './lease-store';
import { Ownership } from './ownership';

type State = 'up' | 'refused' | 'stalled';

/** A way to a store: while it is down, calls fail at once (`refused`) or answer when it is up again (`stalled`). */
const createWay = () => {
  let state: State = 'up';
  const waiting: (() => void)[] = [];
  return {
    pass: async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 3));
      while (state === 'stalled') await new Promise<void>((resolve) => waiting.push(resolve));
      if (state === 'refused') throw new Error('The store is away.');
    },
    set: (next: State): void => {
      state = next;
      for (const resume of waiting.splice(0)) resume();
    },
  };
};

/** A store of leases in memory, to which each server has a way of its own. */
const createStore = (name: LeaseStore['name']) => {
  const beats = new Map<string, { atMs: number; beat: Beat }>();
  const leases = new Map<string, { owner: string | null; fence: number; polledAtMs: number | null }>();
  const isFresh = (server: string | null): boolean =>
    server !== null && (beats.get(server)?.atMs ?? -Infinity) > Date.now() - LEASE_MS;
  const beat = (server: string, sent: Beat): LeaseView => {
    beats.set(server, { atMs: Date.now(), beat: sent });
    for (const { usdot, fence } of sent.leases)
      if ((leases.get(usdot)?.fence ?? 0) < fence)
        leases.set(usdot, { owner: server, fence, polledAtMs: null });
    const fresh = [...beats].filter(([id]) => isFresh(id));
    const isOwn = ({ usdot, fence }: OwnLease): boolean =>
      leases.get(usdot)?.owner === server && leases.get(usdot)?.fence === fence;
    const toFleet = (usdot: string): [string, LeasedFleet] => {
      const { owner = null, fence = 0 } = leases.get(usdot) ?? {};
      return [usdot, { isWatched: true, owner: isFresh(owner) ? owner : null, fence }];
    };
    return {
      kept: sent.leases.filter(isOwn).map(({ usdot }) => usdot),
      isSettled: true,
      servers: fresh.map(([id, last]) => ({
        ...{ id, silentMs: Date.now() - last.atMs, report: last.beat.report },
      })),
      fleets: new Map(fresh.flatMap(([, last]) => last.beat.wanted.map(toFleet))),
    };
  };
  const acquire = (server: string, fleets: readonly OwnLease[]): TakenLease[] =>
    fleets.flatMap(({ usdot, fence: least }) => {
      const held = leases.get(usdot);
      if (held && held.owner !== server && isFresh(held.owner)) return [];
      const number = Math.max(Date.now(), least, (held?.fence ?? 0) + 1);
      const fence = number + ((number + Number(name === 'database')) % 2);
      const polledAtMs = held?.polledAtMs ?? null;
      leases.set(usdot, { owner: server, fence, polledAtMs: null });
      return [{ usdot, fence, polledAgoMs: polledAtMs && Date.now() - polledAtMs }];
    });
  const release = (server: string, { usdot, fence }: OwnLease, polledAgoMs: number | null): void => {
    const held = leases.get(usdot);
    if (held?.owner !== server || held.fence !== fence) return;
    leases.set(usdot, { owner: null, fence, polledAtMs: polledAgoMs && Date.now() - polledAgoMs });
  };
  const ways = ['a', 'b', 'c'].map(createWay);
  const stores = ways.map(({ pass }): LeaseStore => ({
    name,
    beat: async (...args) => (await pass(), beat(...args)),
    acquire: async (...args) => (await pass(), acquire(...args)),
    release: async (...args) => (await pass(), release(...args)),
    leave: async (server) => (await pass(), void beats.delete(server)),
  }));
  return { stores, ways, set: (next: State) => ways.forEach((way) => way.set(next)) };
};
type Store = ReturnType<typeof createStore>;

const FLEETS = ['1000001', '1000002', '1000003', '1000004'];
const INTERVAL_MS = 5000;
const STEP_MS = 200;

/** The polls of all servers: each polls its fleets once an interval from the moment it opens them. */
const createPolls = () => {
  const atMs = new Map<string, number[]>();
  const fences = new Map<string, number[]>();
  const push = (into: Map<string, number[]>, usdot: string, value: number): void =>
    void into.set(usdot, [...(into.get(usdot) ?? []), value]);
  return { atMs, fences, push };
};
type Polls = ReturnType<typeof createPolls>;

const startServer = (member: string, stores: readonly LeaseStore[], polls: Polls) => {
  const timers = new Map<string, NodeJS.Timeout>();
  const polledAtMs = new Map<string, number>();
  const poll = (usdot: string): void => {
    if (!ownership.isOwner(usdot)) return;
    polledAtMs.set(usdot, Date.now());
    polls.push(polls.atMs, usdot, Date.now());
    timers.set(
      usdot,
      setTimeout(() => poll(usdot), INTERVAL_MS),
    );
  };
  const stop = (usdot: string): void => clearTimeout(timers.get(usdot));
  const ownership = new Ownership({
    ...{ stores, member, clock: systemClock, log: { warn: () => undefined }, spreadMs: 0 },
    report: () => ({ name: member, app: '1', build: null, uptimeMs: 0, lagMs: null, echoMs: null }),
    toIntervalMs: () => INTERVAL_MS,
    polledAgoMs: (usdot) => (polledAtMs.has(usdot) ? Date.now() - polledAtMs.get(usdot)! : null),
    onOpened: (usdot, fence) => {
      polls.push(polls.fences, usdot, fence);
      poll(usdot);
    },
    onReleasing: async (usdot) => stop(usdot),
    onReleased: () => undefined,
    onLost: stop,
  });
  for (const usdot of FLEETS) ownership.want(usdot);
  ownership.start();
  return ownership;
};

/** Advances the time, and checks after each step that no fleet has two owners; returns the longest time without one, ms. */
const advance = async (servers: readonly Ownership[], forMs: number): Promise<number> => {
  const without = new Map(FLEETS.map((usdot) => [usdot, 0]));
  let longest = 0;
  for (let ms = 0; ms < forMs; ms += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    for (const usdot of FLEETS) {
      const owners = servers.filter((server) => server.isOwner(usdot)).length;
      expect(owners).toBeLessThanOrEqual(1);
      const next = owners === 1 ? 0 : without.get(usdot)! + STEP_MS;
      without.set(usdot, next);
      longest = Math.max(longest, next);
    }
  }
  return longest;
};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const NAMES = ['a', 'b', 'c'];
const startOne = (index: number, stores: readonly Store[], polls: Polls): Ownership =>
  startServer(
    NAMES[index]!,
    stores.map((store) => store.stores[index]!),
    polls,
  );

const startAll = async () => {
  vi.clearAllTimers();
  const [database, redis] = [createStore('database'), createStore('redis')];
  const polls = createPolls();
  const servers: Ownership[] = [];
  for (const index of NAMES.keys()) {
    servers.push(startOne(index, [database, redis], polls));
    // So that they beat at different times.
    await vi.advanceTimersByTimeAsync(330);
  }
  await advance(servers, 2 * INTERVAL_MS);
  return { database, redis, servers, polls };
};

/** One of the two is up at any time. */
const outage = fc.record({
  away: fc.constantFrom('none', 'database', 'redis'),
  as: fc.constantFrom('refused' as const, 'stalled' as const),
  forMs: fc.integer({ min: 2000, max: 12_000 }),
});

it('polls every fleet on one server without a gap longer than a lease while PostgreSQL and Redis come and go', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(outage, { minLength: 1, maxLength: 8 }), async (outages) => {
      const { database, redis, servers, polls } = await startAll();
      for (const { away, as, forMs } of outages) {
        database.set(away === 'database' ? as : 'up');
        redis.set(away === 'redis' ? as : 'up');
        expect(await advance(servers, forMs)).toBeLessThanOrEqual(LEASE_MS);
      }
      for (const fences of polls.fences.values())
        expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
    }),
    { numRuns: IS_LONG ? 200 : 5 },
  );
}, 300_000);

/** Whether each server reaches PostgreSQL and Redis, for a while. */
const split = fc.record({
  ways: fc.array(fc.constantFrom('up' as const, 'refused' as const, 'stalled' as const), {
    minLength: 2 * NAMES.length,
    maxLength: 2 * NAMES.length,
  }),
  forMs: fc.integer({ min: 200, max: 9000 }),
});

it('gives no number twice however the network splits, and has one owner of the greatest once it is whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(split, { minLength: 1, maxLength: 6 }), async (splits) => {
      const { database, redis, servers, polls } = await startAll();
      const ways = [...database.ways, ...redis.ways];
      for (const { ways: states, forMs } of splits) {
        for (const [index, way] of ways.entries()) way.set(states[index]!);
        await vi.advanceTimersByTimeAsync(forMs);
      }
      for (const way of ways) way.set('up');
      await vi.advanceTimersByTimeAsync(4 * INTERVAL_MS);
      expect(await advance(servers, 2 * INTERVAL_MS)).toBe(0);
      for (const [usdot, fences] of polls.fences) {
        expect(new Set(fences).size).toBe(fences.length);
        const [fence] = servers.map((server) => server.fenceOf(usdot)).filter((each) => each !== null);
        expect(fence).toBe(Math.max(...fences));
      }
    }),
    { numRuns: IS_LONG ? 300 : 5 },
  );
}, 300_000);

it('changes no owner when Redis goes away and comes back, PostgreSQL does, or both do by turns', async () => {
  const { database, redis, servers, polls } = await startAll();
  const before = new Map(polls.fences);
  for (const [store, as] of [
    [redis, 'refused'],
    [database, 'stalled'],
  ] as const) {
    store.set(as);
    expect(await advance(servers, 30_000)).toBe(0);
    store.set('up');
    expect(await advance(servers, 10_000)).toBe(0);
  }
  // One goes away at the moment when the other is back.
  for (let turn = 0; turn < 6; turn++) {
    redis.set(turn % 2 === 0 ? 'refused' : 'up');
    database.set(turn % 2 === 0 ? 'up' : 'refused');
    expect(await advance(servers, 8000)).toBe(0);
  }
  expect(polls.fences).toEqual(before);
});

it.each(['refused', 'stalled'] as const)(
  'moves the fleets of a server that alone cannot reach Redis to those that can (%s)',
  async (as) => {
    const { redis, servers } = await startAll();
    expect(servers[0]!.owned()).not.toEqual([]);
    redis.ways[0]!.set(as);
    expect(await advance(servers, 12_000)).toBeLessThanOrEqual(LEASE_MS);
    expect(servers[0]!.owned()).toEqual([]);
    redis.ways[0]!.set('up');
    await advance(servers, 12_000);
    expect(servers[0]!.owned()).not.toEqual([]);
  },
);

/** The shortest and the longest time between two polls of one fleet, ms. */
const readIntervals = ({ atMs }: Polls): [number, number] => {
  const intervals = [...atMs.values()].flatMap((times) =>
    times.slice(1).map((time, index) => time - times[index]!),
  );
  return [Math.min(...intervals), Math.max(...intervals)];
};

it('requests each fleet once an interval while its owner changes as planned', async () => {
  vi.clearAllTimers();
  const stores = [createStore('database'), createStore('redis')];
  const polls = createPolls();
  const servers = [startOne(0, stores, polls), startOne(1, stores, polls)];
  await advance(servers, 2 * INTERVAL_MS);
  servers.push(startOne(2, stores, polls));
  await advance(servers, 3 * INTERVAL_MS);
  expect(servers[2]!.owned()).not.toEqual([]);
  void servers[0]!.close();
  await advance(servers.slice(1), 3 * INTERVAL_MS);
  const [shortest, longest] = readIntervals(polls);
  expect(shortest).toBeGreaterThanOrEqual(INTERVAL_MS);
  expect(longest).toBeLessThan(INTERVAL_MS + 2000);
});
