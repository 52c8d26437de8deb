import { describe, expect, it, vi } from 'vitest';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { COLUMNS, type Fleet, type FleetRows } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { silentLog } from '@/service/log';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { IS_LONG } from '@/testing/long';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { PastFleets } from './past-fleets';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9000001';
const held = setUpRecording();

/** What a screen shows of a fleet: each unit's names and numbers, by its key. */
const toScreen = ({ rows, identities, columns }: Pick<Fleet, 'rows' | 'identities' | 'columns'>) =>
  Object.fromEntries(
    Array.from({ length: rows }, (_, row) => row)
      .filter((row) => identities[row])
      .map((row) => [
        identities[row]!.key,
        [identities[row], ...COLUMNS.map((name) => `${name} ${columns[name][row]}`)],
      ]),
  );

const atMs = (minute: number): number => START_MS + minute * MINUTE_MS + 2345;

/** One answer of a fleet whose units show all that a row may show. */
const toAnswer = (minute: number): TrackedUnit[] => {
  const units = [unitAt('DRIVES', minute, minute * 1100), unitAt('STANDS', minute, 0)];
  // Late by three minutes, and after that in order again.
  units.push(unitAt('LATE', minute % 7 === 3 ? minute - 3.5 : minute, minute * 900));
  // One position far away, which nothing confirms.
  units.push(unitAt('JUMPS', minute, minute === 40 ? 900_000 : minute * 1000));
  units.push(unitAt('UNTIMED', minute, minute * 500, { fixAtMs: null }));
  units.push(unitAt('PLACELESS', minute, 0, { position: null }));
  units.push(unitAt('STUCK', Math.min(minute, 20), Math.min(minute, 20) * 800));
  // Its clock is two hours ahead, so that it is dated by receipt.
  units.push(unitAt('AHEAD', minute + 120, minute * 700));
  if (minute < 30 || minute > 60) units.push(unitAt('LEAVES', minute, minute * 300));
  if (minute > 50) units.push(unitAt('JOINS', minute, minute * 600));
  const truckNumber = minute < 45 ? '116' : '117';
  units.push(unitAt('RENAMED', minute, 0, { identity: identityOf('RENAMED', { truckNumber }) }));
  return units;
};

const record = async (): Promise<{ atMs: number; shown: FleetRows }[]> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  const polls = [];
  for (let minute = 0; minute < 95; minute++) {
    tracker.observe(toAnswer(minute), new Set(['STANDS', 'NEVERSEEN']), atMs(minute));
    const shown = tracker.copyRows();
    const coverage: CoverageInterval[] = [
      { fromMs: atMs(0), toMs: atMs(minute), state: 'answered', problem: null },
    ];
    await held.write({ usdot: USDOT, seenMs: atMs(minute), changes: tracker.takeChanges(shown), coverage });
    polls.push({ atMs: atMs(minute), shown });
  }
  return polls;
};

describe('a fleet in the past', () => {
  it('is the one that the map showed then, unit for unit, also from the archive', async () => {
    const all = await record();
    let polls = all;
    const compare = async (): Promise<void> => {
      for (const { atMs: polledMs, shown } of polls) {
        const past = await held.reader.readFleetAt(USDOT, polledMs);
        expect(toScreen(past!), new Date(polledMs).toISOString()).toEqual(toScreen(shown));
      }
    };
    await compare();
    const compareHours = async (): Promise<void> => {
      let hour = null;
      for (const { atMs: polledMs, shown } of polls) {
        const hourMs = Math.floor(polledMs / HOUR_MS) * HOUR_MS;
        if (hour?.hourMs !== hourMs) hour = await held.reader.readHour(USDOT, hourMs);
        const past = await held.reader.readFleetIn(USDOT, hour, polledMs);
        expect(toScreen(past!), new Date(polledMs).toISOString()).toEqual(toScreen(shown));
      }
      // After the last poll the hour is not known to be complete.
      expect(await held.reader.readFleetIn(USDOT, hour!, all.at(-1)!.atMs + 1)).toBeNull();
    };
    await compareHours();
    const { rows } = await held.pool.query(
      `SELECT (SELECT count(*) FROM linehaul.states)::int AS states, (SELECT count(*) FROM linehaul.fixes)::int AS fixes`,
    );
    // In most polls a fix alone explains what changed of a unit.
    expect(rows[0].states).toBeLessThan(rows[0].fixes / 2);
    // The first of its two hours, both, and both in one file.
    polls = all.filter((_, minute) => IS_LONG || minute % 6 === 4);
    for (const hours of [3.5, 4.5, 24 + 4.5]) {
      expect(await held.archive(START_MS + hours * HOUR_MS)).toEqual([]);
      await compare();
      await compareHours();
    }
  }, 60_000);

  it('has a unit that was first seen before those whose names were read last, as after a clock was set back', async () => {
    for (const [key, minute] of [
      ['AFTER', 60],
      ['BEFORE', 30],
    ] as const) {
      const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
      tracker.observe([unitAt(key, minute, 0)], null, atMs(minute));
      const changes = tracker.takeChanges(tracker.copyRows());
      await held.write({ usdot: USDOT, seenMs: atMs(minute), changes });
      const fleet = await held.reader.readFleetAt(USDOT, atMs(minute));
      expect(Object.keys(toScreen(fleet!))).toEqual([key]);
    }
  });

  it('comes as changes since another moment', async () => {
    const polls = await record();
    const past = new PastFleets(held.reader, silentLog);
    let fleet: Fleet | null = null;
    for (const minute of [20, 40, 41, 94, 55]) {
      const answer = await past.answer(USDOT, atMs(minute), fleet?.version ?? null, 'identity');
      const decoded = fromLiveBytes(answer.body!);
      expect(decoded).toMatchObject({ nowMs: atMs(minute), nextPollMs: 0, since: fleet?.version ?? null });
      fleet = applyLiveAnswer(fleet, decoded);
      expect(toScreen(fleet)).toEqual(toScreen(polls[minute]!.shown));
    }
    expect((await past.answer(USDOT, atMs(55), fleet!.version, 'identity')).status).toBe(304);
  }, 60_000);

  it('is queried for two moments of an hour, and found in memory after these', async () => {
    const polls = await record();
    const queried = vi.spyOn(held.reader, 'readFleetAt');
    const hours = vi.spyOn(held.reader, 'readHour');
    const past = new PastFleets(held.reader, silentLog);
    const read = async (minute: number) =>
      fromLiveBytes((await past.answer(USDOT, atMs(minute), null, 'identity')).body!);
    await read(20);
    expect(hours).not.toHaveBeenCalled();
    await read(21);
    await Promise.all(hours.mock.results.map(({ value }) => value));
    for (const minute of [22, 10]) {
      const fleet = applyLiveAnswer(null, await read(minute));
      expect(toScreen(fleet)).toEqual(toScreen(polls[minute]!.shown));
    }
    expect(queried.mock.calls.map(([, momentMs]) => momentMs)).toEqual([atMs(20), atMs(21)]);
    expect(hours).toHaveBeenCalledTimes(1);
  }, 60_000);

  it('is found in memory before the first poll of an hour too, as the hour before left it', async () => {
    const polls = await record();
    const past = new PastFleets(held.reader, silentLog);
    const hours = vi.spyOn(held.reader, 'readHour');
    const read = async (momentMs: number) =>
      applyLiveAnswer(null, fromLiveBytes((await past.answer(USDOT, momentMs, null, 'identity')).body!));
    const hourMs = Math.ceil(atMs(0) / HOUR_MS) * HOUR_MS;
    const next = polls.findIndex((poll) => poll.atMs >= hourMs);
    const beforeMs = hourMs + 10;
    expect(polls[next]!.atMs).toBeGreaterThan(beforeMs);
    for (const minute of [next - 3, next - 2, next + 1, next + 2]) {
      await read(atMs(minute));
      await Promise.all(hours.mock.results.map(({ value }) => value));
    }
    expect(hours).toHaveBeenCalledTimes(2);
    const queried = vi.spyOn(held.reader, 'readFleetAt');
    expect(toScreen(await read(beforeMs))).toEqual(toScreen(polls[next - 1]!.shown));
    expect(queried).not.toHaveBeenCalled();
  }, 60_000);

  it('after what is in memory of the present hour is queried, and the hour read again a minute later', async () => {
    const last = (await record()).length - 1;
    const hours = vi.spyOn(held.reader, 'readHour');
    const queried = vi.spyOn(held.reader, 'readFleetAt');
    const past = new PastFleets(held.reader, silentLog);
    const read = async (minute: number): Promise<void> => {
      await past.answer(USDOT, atMs(minute), null, 'identity');
      await Promise.all(hours.mock.results.map(({ value }) => value));
    };
    for (const minute of [last - 1, last]) await read(minute);
    const toMs = atMs(last + 2);
    const coverage: CoverageInterval[] = [{ fromMs: atMs(0), toMs, state: 'answered', problem: null }];
    await held.write({ usdot: USDOT, seenMs: toMs, coverage });
    queried.mockClear();
    await read(last + 0.5);
    expect(hours).toHaveBeenCalledTimes(1);
    await read(last - 2);
    expect(queried).toHaveBeenCalledTimes(1);
    await read(last + 2);
    expect(hours).toHaveBeenCalledTimes(2);
    await read(last + 1);
    expect(queried).toHaveBeenCalledTimes(2);
  }, 60_000);

  it('is queried where its hour cannot be kept in memory, which the log says', async () => {
    const polls = await record();
    vi.spyOn(held.reader, 'readHour').mockRejectedValueOnce(new Error('A file is damaged.'));
    const warn = vi.fn();
    const past = new PastFleets(held.reader, { warn });
    for (const minute of [20, 21]) {
      const { body } = await past.answer(USDOT, atMs(minute), null, 'identity');
      expect(toScreen(applyLiveAnswer(null, fromLiveBytes(body!)))).toEqual(toScreen(polls[minute]!.shown));
    }
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    expect(warn.mock.calls[0]![0]).toMatchObject({ err: { message: 'A file is damaged.' }, usdot: USDOT });
  }, 60_000);

  it('is read again once the data of an hour in memory changes', async () => {
    const polls = await record();
    const hour = await held.reader.readHour(USDOT, Math.floor(START_MS / HOUR_MS) * HOUR_MS);
    const isCurrent = () => held.reader.isCurrent(USDOT, hour);
    const write = (minute: number, fromMinute = minute) => {
      const coverage: CoverageInterval[] = [
        { fromMs: atMs(fromMinute), toMs: atMs(minute), state: 'answered', problem: null },
      ];
      return held.write({ usdot: USDOT, seenMs: atMs(minute), coverage });
    };
    const last = polls.length - 1;
    expect(hour.untilMs).toBeLessThanOrEqual(atMs(last));
    await write(last + 1, 0);
    expect(await isCurrent()).toBe(true);
    // The clock was set back.
    await write(25);
    expect(await isCurrent()).toBe(false);
    const again = await held.reader.readHour(USDOT, hour.hourMs);
    expect(again.stamp).not.toBe(hour.stamp);
    expect(await held.archive(START_MS + 24 * HOUR_MS)).toEqual([]);
    expect(await held.reader.isCurrent(USDOT, again)).toBe(false);
  }, 60_000);

  it('is read again at a moment after the newest poll, because one before it may be recorded later', async () => {
    await record();
    const past = new PastFleets(held.reader, silentLog);
    const first = await past.answer(USDOT, atMs(96), null, 'identity');
    const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
    tracker.observe([unitAt('LATER', 95, 0)], null, atMs(95));
    const changes = tracker.takeChanges(tracker.copyRows());
    const coverage: CoverageInterval[] = [
      { fromMs: atMs(0), toMs: atMs(96), state: 'answered', problem: null },
    ];
    await held.write({ usdot: USDOT, seenMs: atMs(95), changes, coverage });
    const second = await past.answer(USDOT, atMs(96), first.version, 'identity');
    const decoded = fromLiveBytes(second.body!);
    expect(decoded.since).toBeNull();
    expect(Object.keys(toScreen(applyLiveAnswer(null, decoded)))).toContain('LATER');
  });

  it('is not made up where nothing was recorded', async () => {
    const past = new PastFleets(held.reader, silentLog);
    await expect(past.answer(USDOT, START_MS, null, 'identity')).rejects.toThrow('Nothing was recorded');
    const gap: CoverageInterval = {
      fromMs: START_MS,
      toMs: START_MS + MINUTE_MS,
      state: 'notRunning',
      problem: null,
    };
    await held.write({ usdot: USDOT, seenMs: START_MS, coverage: [gap] });
    await expect(past.answer(USDOT, START_MS + 1000, null, 'identity')).rejects.toThrow('not running');
  });

  it('says that the provider was failing', async () => {
    await record();
    const coverage: CoverageInterval[] = [
      { fromMs: atMs(94), toMs: atMs(96), state: 'failing', problem: 'timeout' },
    ];
    await held.write({ usdot: USDOT, seenMs: atMs(96), coverage });
    const answer = await new PastFleets(held.reader, silentLog).answer(USDOT, atMs(95), null, 'identity');
    const { feed } = fromLiveBytes(answer.body!);
    expect(feed).toMatchObject({ staleSinceMs: atMs(94), problem: { kind: 'timeout' } });
  }, 60_000);
});
