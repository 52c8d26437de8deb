import { describe, expect, it } from 'vitest';
import { FleetTracker } from '@/lib/live/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { COLUMNS } from '@/lib/wire/fleet';
import type { Fleet, FleetRows } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { CoverageInterval } from '../schema';
import { HOUR_MS } from './partitions';
import { PastFleets } from './past-fleets';

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
    const polls = await record();
    const compare = async (): Promise<void> => {
      for (const { atMs: polledMs, shown } of polls) {
        const past = await held.reader.readFleetAt(USDOT, polledMs);
        expect(toScreen(past!), new Date(polledMs).toISOString()).toEqual(toScreen(shown));
      }
    };
    await compare();
    const { rows } = await held.pool.query(
      `SELECT (SELECT count(*) FROM linehaul.states)::int AS states, (SELECT count(*) FROM linehaul.fixes)::int AS fixes`,
    );
    // In most polls a fix alone explains what changed of a unit.
    expect(rows[0].states).toBeLessThan(rows[0].fixes / 2);
    // The first of its two hours, both, and both in one file.
    for (const hours of [3.5, 4.5, 24 + 4.5]) {
      expect(await held.archive(START_MS + hours * HOUR_MS)).toEqual([]);
      await compare();
    }
  }, 60_000);

  it('comes as changes since another moment', async () => {
    const polls = await record();
    const past = new PastFleets(held.reader);
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

  it('is not made up where nothing was recorded', async () => {
    const past = new PastFleets(held.reader);
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
    const answer = await new PastFleets(held.reader).answer(USDOT, atMs(95), null, 'identity');
    const { feed } = fromLiveBytes(answer.body!);
    expect(feed).toMatchObject({ staleSinceMs: atMs(94), problem: { kind: 'timeout' } });
  }, 60_000);
});
