import { NOT_DERIVED, UNREAD_FEED, type Fleet, type UnitIdentity } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { REASONS, STATUSES, toFlagMask, type Reason, type Status } from '@/lib/motion/status';
import { hashUnit } from '@/service/simulator/random';
import { createBenchFleet, STEP_MS } from '../support/bench-fleet';

/** Steps after which every unit is back at its start, so that the answers of one loop can be reused. */
const LOOP_STEPS = 60;
/** About 250 m a step: a truck on an interstate, ten seconds a poll. */
const LOOP_RADIUS_DEG = 0.0215;
const USDOT = '9000001';
/** Of a thousand units: the share of each, the rest stopped. */
const SHARES: readonly [status: Status, reason: Reason, below: number][] = [
  ['late', 'overdue', 0.02],
  ['silent', 'quiet', 0.04],
  ['unknown', 'oneFix', 0.06],
  ['stopped', 'inPlace', 0.35],
  ['moving', 'displaced', 1],
];
const FLAGGED_SHARE = 0.01;

/** A fleet of which every unit moves with every step; all of it follows from seed and step. */
export interface MovingFleet {
  units: number;
  /** The same fleet's first units alone. */
  first(units: number): MovingFleet;
  /** The fleet after a step; shares no columns with any other. */
  at(step: number): Fleet;
}

const toIdentity = (record: ProviderRecord): UnitIdentity => ({
  key: record.vin,
  vin: record.vin,
  truckNumber: record.truckNumber,
  plateState: record.licensePlate.state,
  plateNumber: record.licensePlate.number,
  make: record.make,
  model: record.model,
  year: record.year,
  fuelType: record.fuelType,
  assetType: record.assetType,
  deviceId: record.deviceId,
});

interface ProviderRecord extends Omit<UnitIdentity, 'key' | 'vin' | 'plateState' | 'plateNumber'> {
  vin: string;
  licensePlate: { state: string; number: string };
}

/** `startAtMs`: when the first fixes were taken, Unix milliseconds. */
export const createMovingFleet = (mostUnits: number, seed: number, startAtMs: number): MovingFleet => {
  const base = createBenchFleet(mostUnits, seed, startAtMs);
  const { units: records } = JSON.parse(base.toJson()) as { units: ProviderRecord[] };
  const identities = records.map(toIdentity);
  const shares = records.map((_, unit) => SHARES.find(([, , below]) => hashUnit(seed, unit, 0, 21) < below)!);
  const flagged = toFlagMask(['clockFault']);

  const toFleet = (named: UnitIdentity[], step: number): Fleet => {
    const units = named.length;
    const columns = createColumns(units);
    for (let unit = 0; unit < units; unit++) {
      const [status, reason] = shares[unit]!;
      const turn = (hashUnit(seed, unit, 0, 22) + (step % LOOP_STEPS) / LOOP_STEPS) * 2 * Math.PI;
      const { lat, lng, fixAtMs } = base.positionOf(unit);
      columns.latE5[unit] = Math.round((lat + LOOP_RADIUS_DEG * Math.sin(turn)) * 1e5);
      columns.lngE5[unit] = Math.round((lng + LOOP_RADIUS_DEG * Math.cos(turn)) * 1e5);
      columns.fixAtS[unit] = Math.floor(fixAtMs / 1000) + (step * STEP_MS) / 1000;
      columns.speedKph[unit] = status === 'moving' ? 80 + Math.round(10 * Math.sin(2 * turn)) : NOT_DERIVED;
      columns.headingDeg[unit] = Math.round((360 - (turn * 180) / Math.PI + 360) % 360);
      columns.status[unit] = STATUSES.indexOf(status);
      columns.reason[unit] = REASONS.indexOf(reason);
      columns.sinceS[unit] = Math.floor(startAtMs / 1000) - Math.floor(hashUnit(seed, unit, 0, 25) * 36_000);
      columns.datedAfterS[unit] = 120;
      columns.flags[unit] = hashUnit(seed, unit, 0, 26) < FLAGGED_SHARE ? flagged : 0;
    }
    return {
      usdot: USDOT,
      version: `bench.${step}`,
      rows: units,
      identities: named,
      columns,
      feed: { ...UNREAD_FEED, fetchedAtMs: startAtMs + step * STEP_MS, activeUnits: units },
      account: null,
    };
  };
  const first = (units: number): MovingFleet => {
    const fleetIdentities = identities.slice(0, units);
    return { units, first, at: (step) => toFleet(fleetIdentities, step) };
  };
  return first(mostUnits);
};
