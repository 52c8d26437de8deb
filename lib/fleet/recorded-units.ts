import 'server-only';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { NO_POSITION, RECORDED_COLUMNS, type RecordedColumn, type UnitIdentity } from '@/lib/wire/fleet';
import { REASONS, STATUSES, type Reason, type Status } from '@/lib/motion/status';

export const NO_UNITS: UnitRows = { units: [], values: new Int32Array(0) };

/** Units with several rows each, one unit after the other: the integers of all rows, one row after the other. */
export interface UnitHistories extends UnitRows {
  /** How many rows each unit has. */
  counts: ArrayLike<number>;
}

export const NO_HISTORIES: UnitHistories = { ...NO_UNITS, counts: [] };

/** Units, and the same number of integers for each, one after the other. */
export interface UnitRows {
  units: readonly string[];
  values: Int32Array;
}

/** The recording of a fleet's units as of its last poll, by their keys. */
export interface RecordedUnits {
  /** When the provider answered last, Unix ms; null: not known. */
  answeredAtMs: number | null;
  /** Fixes, oldest first: 16 bytes each in hexadecimal, as PostgreSQL sends time, latitude and longitude. */
  fixes: Map<string, string>;
  /** When it was seen, ms since the hour, and RECORDED_COLUMNS. */
  states: UnitRows;
  /** Identities as JSON. */
  identities: Map<string, string>;
  /** MotionMemory as JSON, of units that were late or silent at some time. */
  motions: Map<string, string>;
}

export interface RecordedPosition {
  fixAtMs: number;
  lat: number;
  lng: number;
}

/** A unit as the live screen showed it last. */
interface RecordedState {
  status: Status;
  reason: Reason;
  /** Since when it had the status; null: not known. */
  sinceMs: number | null;
  /** Its position and the time of that; null where it had none. */
  fix: RecordedPosition | null;
}

export interface RecordedUnit {
  /** The fixes, in the form that `readFixes` expects. */
  fixes: string;
  /** Null where the unit was forgotten. */
  state: RecordedState | null;
  /** JSON; null: not recorded. */
  identity: string | null;
  /** The motion to resume from, as JSON, as of when it was late or silent last; null: it never was. */
  motion: string | null;
}

const FIX_BYTES = 16;

/** The fixes of one unit, oldest first; times are Unix ms, coordinates degrees. */
export const readFixes = (recorded: string): RecordedPosition[] => {
  const bytes = Buffer.from(recorded, 'hex');
  return Array.from({ length: bytes.length / FIX_BYTES }, (_, index) => {
    const at = index * FIX_BYTES;
    return {
      fixAtMs: Number(bytes.readBigInt64BE(at)),
      lat: bytes.readInt32BE(at + 8) / 1e5,
      lng: bytes.readInt32BE(at + 12) / 1e5,
    };
  });
};

/** The state of the unit with an index in `units`. */
const readState = ({ values }: UnitRows, index: number): RecordedState => {
  const valueOf = (column: RecordedColumn): number =>
    values[index * (RECORDED_COLUMNS.length + 1) + 1 + RECORDED_COLUMNS.indexOf(column)]!;
  const [fixAtS, sinceS, latE5] = [valueOf('fixAtS'), valueOf('sinceS'), valueOf('latE5')];
  return {
    status: STATUSES[valueOf('status')]!,
    reason: REASONS[valueOf('reason')]!,
    sinceMs: sinceS === 0 ? null : sinceS * 1000,
    fix:
      fixAtS === 0 || latE5 === NO_POSITION
        ? null
        : { fixAtMs: fixAtS * 1000, lat: latE5 / 1e5, lng: valueOf('lngE5') / 1e5 },
  };
};

/** Each unit by its key. */
export const listUnits = ({
  fixes,
  states,
  identities,
  motions,
}: RecordedUnits): Map<string, RecordedUnit> => {
  const units = new Map<string, RecordedUnit>();
  states.units.forEach((key, index) =>
    units.set(key, {
      fixes: fixes.get(key) ?? '',
      state: readState(states, index),
      identity: identities.get(key) ?? null,
      motion: motions.get(key) ?? null,
    }),
  );
  for (const [key, each] of fixes)
    if (!units.has(key)) units.set(key, { fixes: each, state: null, identity: null, motion: null });
  return units;
};

/** The units that the provider listed when it answered last, as in that answer. */
export const toListedUnits = (units: RecordedUnits): TrackedUnit[] =>
  [...listUnits(units).values()].flatMap(({ fixes, state, identity }) => {
    if (state === null || identity === null || (state.status === 'silent' && state.reason !== 'quiet'))
      return [];
    const newest = readFixes(fixes.slice(-2 * FIX_BYTES))[0] ?? state.fix;
    return {
      identity: JSON.parse(identity) as UnitIdentity,
      position: newest && { lat: newest.lat, lng: newest.lng },
      fixAtMs: newest?.fixAtMs ?? null,
      otherAtMs: null,
      flags: [],
    };
  });

/** A vehicle as the service of an own fleet knows it. */
export interface StoredVehicle {
  vin: string;
  deviceId: string | null;
  truckNumber: string | null;
}

/** The unit that a vehicle is on the live screen. */
export interface StoredUnit {
  key: string;
  /** Whether it is dated by when its reports come, because its clock is at fault. */
  isByReceipt: boolean;
}
