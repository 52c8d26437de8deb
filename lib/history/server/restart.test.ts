import { expect, it } from 'vitest';
import { setUpRecording } from '@/testing/history/recording';
import { unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { FleetTracker } from '@/lib/live/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import { HOUR_MS } from './partitions';

const USDOT = '9000001';

const held = setUpRecording();

const createTracker = () => new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);

/** One answer: a unit that drives at 60 km/h, and one that stands still. */
const observe = (tracker: FleetTracker, minute: number): void =>
  tracker.observe(
    [unitAt('DRIVES', minute, minute * 1000), unitAt('STANDS', minute, 0)],
    null,
    START_MS + minute * MINUTE_MS + 2000,
  );

it.each(['before', 'after'])(
  'after a restart each unit is judged as if there had been none, also where the fixes come %s the first answer',
  async (when) => {
    const before = createTracker();
    for (let minute = 0; minute < 90; minute++) {
      observe(before, minute);
      const changes = before.takeChanges(before.copyRows())!;
      await held.write({ usdot: USDOT, seenMs: changes.seenMs, changes });
    }
    const after = createTracker();
    const recorded = await held.history.readNewest(USDOT, START_MS + 90 * MINUTE_MS - 2 * HOUR_MS);
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
