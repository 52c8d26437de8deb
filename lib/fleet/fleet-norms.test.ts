import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { unitAt } from '@/testing/live/tracked-units';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { REASONS, STATUSES, toFlags } from '@/lib/motion/status';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { FleetTracker } from './fleet-tracker';
import { SECOND_MS } from '@/lib/base/time';

const POLL_MS = 5 * SECOND_MS;
const TRUCKS = 6;
const KPH = 100;
const M_PER_MS = KPH / 3600;

/** How a provider passes on what a truck reports each `everyMs`. */
interface Habits {
  everyMs: number;
  /** The report as the provider gives it at `nowMs`. */
  give?: (report: TrackedUnit, nowMs: number, truck: number) => TrackedUnit;
  /** How long a report takes to be listed. */
  delayMs?: (nowMs: number) => number;
  /** The distance driven at a time since the start. */
  northM?: (sinceMs: number, truck: number) => number;
}

interface Shown {
  truck: number;
  sinceMs: number;
  status: string;
  reason: string;
  speedKph: number;
  flags: string[];
}

/** What a fleet that is polled each five seconds shows at each poll. */
const watch = (
  { everyMs, give = (report) => report, delayMs = () => 0, northM = (ms) => ms * M_PER_MS }: Habits,
  forMs: number,
  trucks = TRUCKS,
): { shown: Shown[]; tracker: FleetTracker } => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, '9000001');
  const shown: Shown[] = [];
  for (let sinceMs = 0; sinceMs < forMs; sinceMs += POLL_MS) {
    const nowMs = START_MS + sinceMs;
    const units = Array.from({ length: trucks }, (_, truck) => {
      const offsetMs = truck * 7 * SECOND_MS;
      const reportMs = Math.floor((sinceMs - delayMs(sinceMs) - offsetMs) / everyMs) * everyMs + offsetMs;
      return give(unitAt(`T${truck}`, reportMs / MINUTE_MS, northM(reportMs, truck)), nowMs, truck);
    });
    tracker.observe(units, null, nowMs);
    const { columns } = tracker.copyRows();
    for (let truck = 0; truck < trucks; truck++) {
      shown.push({
        truck,
        sinceMs,
        status: STATUSES[columns.status[truck]!]!,
        reason: REASONS[columns.reason[truck]!]!,
        speedKph: columns.speedKph[truck]!,
        flags: toFlags(columns.flags[truck]!),
      });
    }
  }
  return { shown, tracker };
};

const toWholeMinute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

describe('times that turn coarse midway', () => {
  test.each([15, 40, 60, 75, 100])(
    'are given in whole minutes, of trucks that report each %i s: no truck jumps, none shows another speed than its own',
    (seconds) => {
      const turnsMs = 12 * MINUTE_MS + 20 * SECOND_MS;
      const give = (report: TrackedUnit, nowMs: number): TrackedUnit =>
        nowMs - START_MS < turnsMs ? report : { ...report, fixAtMs: toWholeMinute(report.fixAtMs!) };
      const { shown } = watch({ everyMs: seconds * SECOND_MS, give }, 30 * MINUTE_MS);
      for (const each of shown) {
        expect(each.flags, JSON.stringify(each)).toEqual([]);
        if (each.status !== 'moving' || each.speedKph === NOT_DERIVED) continue;
        expect(Math.abs(each.speedKph - KPH), JSON.stringify(each)).toBeLessThan(25);
      }
      const after = shown.filter(({ sinceMs }) => sinceMs > turnsMs + 5 * MINUTE_MS);
      for (const each of after) expect(each.status, JSON.stringify(each)).toBe('moving');
    },
  );
});

describe('a provider that is late', () => {
  test.each([3, 5, 12, 25])('steadily by %i minutes: no truck that reports is late', (minutes) => {
    const delayMs = () => minutes * MINUTE_MS;
    const { shown } = watch({ everyMs: 15 * SECOND_MS, delayMs }, 20 * MINUTE_MS);
    for (const each of shown) {
      expect(each.status, JSON.stringify(each)).not.toMatch(/late|silent/);
      expect(each.flags).toEqual([]);
    }
  });

  test('is late no more: a truck that ends to report is late as soon as with any other provider', () => {
    const stopsMs = 30 * MINUTE_MS;
    const delayMs = (sinceMs: number) => (sinceMs < 15 * MINUTE_MS ? 5 * MINUTE_MS : 0);
    const held = unitAt('T0', 30, 0);
    const give = (report: TrackedUnit, nowMs: number, truck: number): TrackedUnit =>
      truck === 0 && nowMs >= START_MS + stopsMs ? held : report;
    const { shown } = watch({ everyMs: 15 * SECOND_MS, delayMs, give, northM: () => 0 }, 40 * MINUTE_MS);
    const late = shown.filter(({ truck, status }) => truck === 0 && status === 'late');
    expect(late[0]?.sinceMs).toBe(stopsMs + 3 * MINUTE_MS);
  });

  test.each([1, 2])(
    'where there are %i trucks, no truck that reports is late once 20 reports show it',
    (trucks) => {
      const delayMs = () => 5 * MINUTE_MS;
      const { shown } = watch({ everyMs: 15 * SECOND_MS, delayMs }, 20 * MINUTE_MS, trucks);
      const known = shown.filter(({ sinceMs }) => sinceMs > 6 * MINUTE_MS);
      for (const { status } of known) expect(status).not.toMatch(/late|silent/);
    },
  );

  test('a truck alone is late whose reports come later and later', () => {
    const delayMs = (sinceMs: number) => 5 * MINUTE_MS + sinceMs / 2;
    const { shown } = watch({ everyMs: 15 * SECOND_MS, delayMs }, 20 * MINUTE_MS, 1);
    expect(shown.at(-1)?.status).toBe('late');
  });

  test('with one truck in two, whose reports are late: that truck is', () => {
    const give = (report: TrackedUnit, _: number, truck: number): TrackedUnit =>
      truck === 0 ? { ...report, fixAtMs: report.fixAtMs! - 5 * MINUTE_MS } : report;
    const { shown } = watch({ everyMs: 15 * SECOND_MS, give }, 20 * MINUTE_MS, 2);
    expect(shown.findLast(({ truck }) => truck === 0)?.status).toBe('late');
    expect(shown.some(({ truck, status }) => truck > 0 && status === 'late')).toBe(false);
  });

  test('with one truck in six, whose reports are late: that truck is', () => {
    const give = (report: TrackedUnit, _: number, truck: number): TrackedUnit =>
      truck === 0 ? { ...report, fixAtMs: report.fixAtMs! - 5 * MINUTE_MS } : report;
    const { shown } = watch({ everyMs: 15 * SECOND_MS, give }, 10 * MINUTE_MS);
    expect(shown.findLast(({ truck }) => truck === 0)?.status).toBe('late');
    expect(shown.some(({ truck, status }) => truck > 0 && status === 'late')).toBe(false);
  });
});

describe('places that are held', () => {
  const holdMs = 4 * MINUTE_MS;
  /** The place of the last whole four minutes, stamped with the report's time. */
  const northM = (ms: number): number => Math.floor(ms / holdMs + 0.5) * holdMs * M_PER_MS;

  test.each([15, 60])(
    'for four minutes and stamped each %i s with the present time: no truck stands or jumps once three have shown it',
    (seconds) => {
      const { shown } = watch({ everyMs: seconds * SECOND_MS, northM }, 40 * MINUTE_MS);
      // The first place is held since before the start, and the next one is at the end of the fourth minute after it.
      for (const each of shown.filter(({ sinceMs }) => sinceMs > 9 * MINUTE_MS)) {
        expect(each.flags, JSON.stringify(each)).toEqual([]);
        expect(each.status, JSON.stringify(each)).toMatch(/moving|unknown/);
      }
    },
  );

  test('where the truck stands for longer, it is shown to stand', () => {
    const parkedM = (ms: number, truck: number) =>
      truck === 0 ? northM(Math.min(ms, 20 * MINUTE_MS)) : northM(ms);
    const { shown } = watch({ everyMs: 15 * SECOND_MS, northM: parkedM }, 40 * MINUTE_MS);
    const parked = shown.filter(({ truck, sinceMs }) => truck === 0 && sinceMs > 26 * MINUTE_MS);
    for (const each of parked) expect(each.status, JSON.stringify(each)).toBe('stopped');
  });

  test('by a sleeping receiver of a parked truck are no habit of the provider', () => {
    const parkedM = (ms: number, truck: number) => (truck < 3 ? 0 : ms * M_PER_MS);
    const { shown } = watch({ everyMs: 15 * SECOND_MS, northM: parkedM }, 10 * MINUTE_MS);
    for (const each of shown)
      if (each.truck < 3 && each.sinceMs > 2 * MINUTE_MS) expect(each.status).toBe('stopped');
  });
});

describe('what is not known yet of a provider', () => {
  test.each([
    [1, 4, 5 * MINUTE_MS],
    [1, 10, null],
    [3, 4, null],
  ])(
    'where %i trucks report five minutes late for %i min, the detail gives their age at receipt as %s',
    (trucks, minutes, ageMs) => {
      const delayMs = () => 5 * MINUTE_MS;
      const { tracker } = watch({ everyMs: 15 * SECOND_MS, delayMs }, minutes * MINUTE_MS, trucks);
      expect(tracker.detail('T0', 'e.1')?.receivedAgeMs).toBe(ageMs);
    },
  );
});
