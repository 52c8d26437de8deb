import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { unitAt } from '@/testing/live/tracked-units';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { REASONS, STATUSES, toFlags } from '@/lib/wire/status';
import { DEFAULT_LIVE_SETTINGS } from '../settings';
import { FleetTracker } from './fleet-tracker';

const SECOND_MS = 1000;
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
