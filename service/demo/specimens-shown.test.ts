import { clockOf } from '@/testing/clock';
import { describe, expect, it } from 'vitest';
import type { KnownCarrier } from '@/lib/fleet/unit/unit-record';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { FLAGS, REASONS, STATUSES, toFlags, type Flag } from '@/lib/motion/status';
import { toUnit } from '../answer/unit';
import { createDemoFleet } from '../simulator/demo-fleet';
import { DEMO_SPECIMENS } from '../../testing/service/demo-specimens';
import { specimenOf } from '../simulator/specimens';
import { DEMO_CARRIER } from '../simulator/vehicles';
import type { Position } from '../store/fixes/positions';
import type { FixInput } from '../store/inputs';
import type { StoredVehicle } from '../store/vehicles';
import { DEMO_SEED } from './seed';
import { createSimulatedFaults } from './simulated-faults';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';

const UNITS = 400;
const START_MS = Date.UTC(2026, 5, 15, 17);
const POLL_MS = 10 * SECOND_MS;
/** The demo starts with a past, in which some trucks vanished. */
const PAST_MS = 6 * HOUR_MS;
const PAST_POLL_MS = 10 * MINUTE_MS;
const ACTIVE_MS = 30 * 60 * SECOND_MS;
const { usdot } = DEMO_CARRIER;

/** The demo as a browser would see it: its devices' reports, the service's answers, our client and our tracker. */
const watchDemo = async (minutes: number) => {
  const fleet = createDemoFleet({ units: UNITS, seed: DEMO_SEED });
  const answers = createSimulatedFaults(fleet);
  let nowMs = START_MS - PAST_MS;
  const newest: (FixInput | null)[] = [];

  const report = () =>
    fleet.vehicles.forEach((_, unit) => {
      const reportAtMs = fleet.lastReportAt(unit, nowMs);
      const fix = reportAtMs === null ? null : fleet.reportAt(unit, reportAtMs);
      // The service refuses 0, 0, keeps the newest fix, and lists a unit for half an hour after it.
      if (fix && fix.lat !== 0 && fix.fixAtMs > (newest[unit]?.fixAtMs ?? 0)) newest[unit] = fix;
    });

  const answer = (path: string): unknown => {
    if (path.includes('/vin-numbers/')) return answers.toVins(fleet.vehicles.map(({ vin }) => vin));
    const listed = fleet.vehicles.flatMap((vehicle, unit) => {
      const fix = newest[unit];
      if (!fix || fix.fixAtMs < nowMs - ACTIVE_MS) return [];
      return [
        toUnit(vehicle as StoredVehicle, { ...fix, vehicleId: unit, orderAtMs: fix.fixAtMs } as Position),
      ];
    });
    return { units: answers.toUnits(listed, nowMs) };
  };

  const client = createTrackingClient({
    fetch: async (request) => Response.json(answer(new URL(request.url).pathname)),
    baseUrl: 'http://demo.example',
    credentials: { apiKey: 'key', providerToken: 'token' },
    clock: clockOf(() => nowMs),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  const carriers = new Map(
    fleet.vehicles.map(({ vin, registeredUsdot, registeredMcNumber }): [string, KnownCarrier] => [
      vin,
      {
        carrier: {
          vin,
          usdot: registeredUsdot ?? usdot,
          mcNumber: registeredMcNumber,
          requestedAtMs: START_MS,
        },
        times: 2,
      },
    ]),
  );
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, usdot, (vin) => carriers.get(vin) ?? null);
  const roster = new Set((await client.readVins(usdot)).vins);
  const trucksByFlag = new Map<Flag, Set<string>>();
  const reasons = new Set<string>();
  const statuses = new Set<string>();
  for (; nowMs < START_MS + minutes * 60 * SECOND_MS; nowMs += nowMs < START_MS ? PAST_POLL_MS : POLL_MS) {
    report();
    tracker.observe((await client.readUnits(usdot)).units, roster, nowMs);
    if (nowMs < START_MS) continue;
    const { rows, identities, columns } = tracker.copyRows();
    for (let row = 0; row < rows; row++) {
      reasons.add(REASONS[columns.reason[row]!]!);
      statuses.add(STATUSES[columns.status[row]!]!);
      for (const flag of toFlags(columns.flags[row]!)) {
        const trucks = trucksByFlag.get(flag) ?? new Set();
        trucksByFlag.set(flag, trucks.add(identities[row]?.truckNumber ?? ''));
      }
    }
  }
  return { trucksByFlag, reasons, statuses };
};

describe('the demo fleet', () => {
  it('holds a specimen of every flag, status and kind of silence, and none that is not meant', async () => {
    const { trucksByFlag, reasons, statuses } = await watchDemo(25);
    expect([...trucksByFlag.keys()].sort()).toEqual([...FLAGS].sort());
    expect([...statuses].sort()).toEqual([...STATUSES].sort());
    expect([...reasons]).toEqual(expect.arrayContaining(['vanishedMoving', 'vanishedStopped', 'neverSeen']));
    const meant: Record<Flag, readonly string[]> = {
      noPosition: DEMO_SPECIMENS.unplaced,
      clockFault: [...DEMO_SPECIMENS.fastClock, ...DEMO_SPECIMENS.wrongZone],
      impossibleJump: [...DEMO_SPECIMENS.jumping, ...DEMO_SPECIMENS.frozen],
      duplicateVin: DEMO_SPECIMENS.doubled,
      badVin: DEMO_SPECIMENS.badVin,
      notOnRoster: DEMO_SPECIMENS.unrostered,
      wrongCarrier: DEMO_SPECIMENS.leased,
      frozenPosition: DEMO_SPECIMENS.frozen,
      identityChange: DEMO_SPECIMENS.renamed,
      vinMismatch: DEMO_SPECIMENS.mismatched,
      implausiblePosition: DEMO_SPECIMENS.signLost,
      notIdentified: DEMO_SPECIMENS.nameless,
    };
    for (const [flag, trucks] of trucksByFlag)
      expect(meant[flag], flag).toEqual(expect.arrayContaining([...trucks]));
    expect(specimenOf(91)).toBe('frozen');
  }, 60_000);
});
