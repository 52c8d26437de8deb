import { expect, it } from 'vitest';
import {
  NO_POSITION,
  PROBLEM_KINDS,
  UNREAD_FEED,
  type FeedProblem,
  type Fleet,
  type ProblemKind,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { applyLiveAnswer, createColumns } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import type { UnitDetail } from '@/lib/wire/unit';
import { REASONS } from '@/lib/motion/status';
import { clockOf } from '@/testing/clock';
import { identityOf } from '@/testing/live/tracked-units';
import { Publisher } from '@/lib/wire/server/publisher';
import type { Feed } from './feeds';
import { LimitedFeeds } from './limited-feeds';

const clock = clockOf(() => 1000);

/** A fleet of the units A to E, of which `tagged` have the tag, and a browser that polls it. */
const setUp = (tagged: string[]) => {
  const publisher = new Publisher({ versionsKept: 12, slackMs: 250, clock });
  let versions = 0;
  const state = { units: tagged, problem: null as FeedProblem | null };
  // A unit that keeps its name keeps its identity.
  const units: Record<string, UnitIdentity> = {};
  const publish = (keys: readonly (string | null)[], latE5: number, epoch = 'e'): void => {
    const columns = createColumns(keys.length);
    columns.latE5.fill(latE5);
    columns.reason.fill(REASONS.indexOf('displaced'));
    publisher.publish({
      usdot: '1',
      version: `${epoch}.${(versions += 1)}`,
      rows: keys.length,
      identities: keys.map((key) => (key === null ? null : (units[key] ??= identityOf(key)))),
      columns,
      feed: {
        ...{ ...UNREAD_FEED, activeUnits: keys.length, rosterVins: 9, droppedRecords: 3, repairedFields: 2 },
        problem: state.problem,
      },
      account: null,
      nextDueAtMs: 6000,
    });
  };
  publish(['A', 'B', 'C', 'D', 'E'], 10);
  const whole = {
    answer: (since, accept) => publisher.answer(since, accept),
    detail: async (key) => ({ version: key, flags: [] as UnitDetail['flags'] }) as UnitDetail,
  } as Feed;
  const feeds = new LimitedFeeds({ readUnits: async () => new Set(state.units), clock });
  let fleet: Fleet | null = null;
  const poll = async () => {
    const answer = await feeds.limit(whole, '1', ['flatbeds']).answer(fleet?.version ?? null, 'identity');
    if (answer.body === null) return null;
    const decoded = fromLiveBytes(answer.body);
    fleet = applyLiveAnswer(fleet, decoded);
    const { identities, columns, feed } = fleet;
    const rows = identities.map((identity, row) => [identity?.key ?? null, columns.latE5[row]]);
    return { rows, feed, isChange: decoded.since !== null, named: decoded.named.identities.length };
  };
  return { publish, poll, state, feeds, whole };
};

it('shows the units with a tag, and counts no others', async () => {
  const { poll } = setUp(['B', 'D']);
  expect(await poll()).toMatchObject({
    rows: [
      ['B', 10],
      ['D', 10],
    ],
    feed: { activeUnits: 2, rosterVins: null, droppedRecords: 0, repairedFields: 0 },
  });
  expect(await poll()).toBeNull();
});

it('has the problems of the whole fleet without how many units it has, and without what the provider sends', async () => {
  const { poll, publish, state } = setUp(['B']);
  await poll();
  const units = ['A', 'B', 'C', 'D', 'E'];
  const texts = {
    message: 'Lists only 12 of the 400 units.',
    detail: 'Units 12 and 400: VIN 9.',
    sinceMs: 900,
  };
  const isCounted = new Set<ProblemKind>([
    ...(['drop', 'otherFleet', 'older', 'repeated', 'unusable', 'errorInside'] as const),
  ]);
  for (const kind of PROBLEM_KINDS) {
    state.problem = { ...texts, kind, ...(!isCounted.has(kind) && { message: 'The provider fails.' }) };
    publish(units, 11);
    const { problem } = (await poll())!.feed;
    expect(problem).toMatchObject({ kind, sinceMs: 900, message: expect.stringMatching(/^The .*\.$/) });
    expect(JSON.stringify(problem), kind).not.toMatch(/12|400/);
  }
});

it('sends the changes of the seen units, and one that left, was renamed or joined', async () => {
  const { poll, publish } = setUp(['B', 'D', 'F']);
  await poll();
  publish(['A', 'B', 'C', 'D', 'E'], 11);
  expect(await poll()).toMatchObject({
    isChange: true,
    named: 0,
    rows: [
      ['B', 11],
      ['D', 11],
    ],
  });
  publish(['A', 'b', 'C', 'D', null, 'F'], 12);
  expect(await poll()).toMatchObject({
    isChange: true,
    named: 1,
    rows: [
      [null, NO_POSITION],
      ['D', 12],
      ['F', 12],
    ],
  });
  publish(['F', 'A'], 13, 'later');
  expect(await poll()).toMatchObject({ isChange: false, rows: [['F', 13]] });
});

it('follows the tags at once, without a difference between two sets of units', async () => {
  const { poll, state } = setUp(['B']);
  await poll();
  state.units = ['D', 'A'];
  expect(await poll()).toMatchObject({
    isChange: false,
    rows: [
      ['A', 10],
      ['D', 10],
    ],
  });
  state.units = ['B'];
  expect(await poll()).toMatchObject({ isChange: false, rows: [['B', 10]] });
  state.units = [];
  expect(await poll()).toMatchObject({ isChange: false, rows: [], feed: { activeUnits: 0 } });
});

it('gives the same to requests at once, and reads the whole fleet again after a failure', async () => {
  const { feeds, whole, poll } = setUp(['B']);
  const failing = { answer: () => Promise.reject(new Error('the thread ended')) } as unknown as Feed;
  const limited = (feed: Feed) => feeds.limit(feed, '1', ['flatbeds']).answer(null, 'identity');
  const [failed, ...answers] = await Promise.allSettled([failing, whole, whole].map(limited));
  expect(failed!.status).toBe('rejected');
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value.version)).toEqual([
    expect.stringMatching(/^e-.*\.1$/),
    expect.stringMatching(/^e-.*\.1$/),
  ]);
  expect(await poll()).toMatchObject({ rows: [['B', 10]] });
});

it('has the detail of a seen unit alone', async () => {
  const { feeds, whole } = setUp(['B']);
  const limited = feeds.limit(whole, '1', ['flatbeds']);
  expect([await limited.detail('B'), await limited.detail('A')]).toEqual([{ version: 'B', flags: [] }, null]);
});
