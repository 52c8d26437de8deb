import { expect, it } from 'vitest';
import { setUpRecording } from '@/testing/history/recording';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { FleetTracker } from '@/lib/live/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';

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
    const recorded = await held.history.readNewest(USDOT, START_MS + 60 * MINUTE_MS);
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
  after.restore(await held.history.readNewest(USDOT, START_MS + 30 * MINUTE_MS));
  for (let minute = 60; minute < 80; minute++)
    for (const tracker of [before, after]) observe(tracker, minute);
  for (const key of [LEFT, GOES]) {
    const [expected, found] = [before, after].map((tracker) => tracker.detail(key, 'v')!);
    const { identity, status, reason, sinceMs } = expected!;
    expect(found).toMatchObject({ identity, status, reason, sinceMs });
    expect(reason).toBe(key === LEFT ? 'vanishedMoving' : 'vanishedStopped');
  }
});
