import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FleetTracker } from '@/lib/live/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { parseRecording } from '@/service/command/replay/recording';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf } from '@/testing/live/tracked-units';
import { HOUR_MS } from '../partitions';

const traces = process.env.LINEHAUL_TRACES;
const held = setUpRecording();
const USDOT = '9000001';
const POLL_MS = 20_000;

/** The fixes of a day in Austin in the order of time. */
const readReports = () =>
  parseRecording(readFileSync(join(traces!, 'austin-buses-2017-03-21.csv'), 'utf8'))
    .fixes.filter(({ lat, lng }) => lat !== 0 || lng !== 0)
    .sort((a, b) => a.fixAtMs - b.fixAtMs);

test.skipIf(!traces)(
  'every fix of a day in Austin that was seen is archived once, in at most 7 bytes',
  async () => {
    const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
    const reports = readReports();
    const units = new Map<string, TrackedUnit>();
    const expected = new Map<string, Set<number>>();
    let next = 0;
    let seenMs = reports[0]!.fixAtMs;
    while (next < reports.length) {
      // Polls are some milliseconds late.
      seenMs += POLL_MS + ((next * 7) % 30);
      for (; next < reports.length && reports[next]!.fixAtMs < seenMs - 2000; next++) {
        const { deviceId, lat, lng, fixAtMs } = reports[next]!;
        const identity = identityOf(deviceId);
        units.set(deviceId, { identity, position: { lat, lng }, fixAtMs, otherAtMs: null, flags: [] });
      }
      for (const [key, { fixAtMs }] of units)
        expected.set(key, (expected.get(key) ?? new Set()).add(fixAtMs!));
      tracker.observe([...units.values()], null, seenMs);
      await held.write({ usdot: USDOT, seenMs, changes: tracker.takeChanges(tracker.copyRows()) });
    }
    expect(await held.archive(seenMs + 48 * HOUR_MS)).toEqual([]);
    const [size] = await held.database.query(
      `SELECT sum(rows)::int AS rows, (sum(bytes) / sum(rows))::float8 AS each FROM linehaul.archive_files
       WHERE state = 'listed' AND table_name = 'fixes'`,
    );
    expect(size!.rows).toBe([...expected.values()].reduce((sum, { size: fixes }) => sum + fixes, 0));
    expect(size!.each).toBeLessThanOrEqual(7);
    for (const [unit, times] of [...expected].slice(0, 40)) {
      const trail = await held.reader.readTrail(USDOT, unit, 0, seenMs * 2);
      expect(trail.map(({ fixAtMs }) => fixAtMs)).toEqual([...times].sort((a, b) => a - b));
    }
  },
  120_000,
);
