import 'server-only';
import {
  MOTION_COLUMNS,
  RECORDED_COLUMNS,
  RECORDED_STATE_COLUMNS,
  type Column,
  type Columns,
  type FleetRows,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import type { MotionMemory } from '@/lib/motion/motion-state';
import { STATUSES } from '@/lib/motion/status';
import { toE5, toSeconds } from './row-columns';
import { HOUR_MS } from '@/lib/base/time';

/** A column of rows, as an array in PostgreSQL's binary format. */
type PgColumn = Uint8Array<ArrayBuffer>;

export interface PgRows {
  count: number;
  columns: PgColumn[];
}

/** The key under which a unit was recorded before its present one, and until when, Unix ms. */
export interface FormerKey {
  key: string;
  untilMs: number;
}

/** The changes of one poll of a fleet; null where there is nothing of the kind. */
export interface PollChanges {
  /** When the answer came, Unix ms. */
  seenMs: number;
  /** unit, fix_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg; NOT_SHOWN where the map showed another position. */
  fixes: PgRows | null;
  /** unit, then the columns of RECORDED_COLUMNS; NOT_SHOWN in all of these: the unit was forgotten. */
  states: PgRows | null;
  /** unit, identity as JSON, with its FormerKey as `former` where it had another key before. */
  identities: PgRows | null;
  /** unit, MotionMemory as JSON, of units that became late or silent. */
  motions: PgRows | null;
}

/** Stands for null, which these columns have no other use for. */
export const NOT_SHOWN = -2;

/** The memory of the columns, which another thread can take over. */
export const listBuffers = ({ fixes, states, identities, motions }: PollChanges): ArrayBuffer[] =>
  [fixes, states, identities, motions].flatMap((rows) => rows?.columns.map(({ buffer }) => buffer) ?? []);

const OID = { bool: 16, int8: 20, int4: 23, text: 25 } as const;
/** Number of dimensions, whether there are nulls, type of the elements, length and first index: 4 bytes each. */
const HEADER_BYTES = 20;
const TWO_32 = 2 ** 32;
const MOST_UTF8_BYTES = 3;

const writeHeader = (view: DataView, oid: number, count: number): void => {
  view.setInt32(0, 1);
  view.setInt32(8, oid);
  view.setInt32(12, count);
  view.setInt32(16, 1);
};

const toNumbers = (
  oid: number,
  bytes: number,
  values: ArrayLike<number>,
  write: (view: DataView, at: number, value: number) => void,
): PgColumn => {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + values.length * (4 + bytes)));
  writeHeader(view, oid, values.length);
  let at = HEADER_BYTES;
  for (let i = 0; i < values.length; i++) {
    view.setInt32(at, bytes);
    write(view, at + 4, values[i]!);
    at += 4 + bytes;
  }
  return new Uint8Array(view.buffer);
};

export const toTexts = (values: readonly string[]): PgColumn => {
  const size = values.reduce((sum, value) => sum + 4 + value.length * MOST_UTF8_BYTES, HEADER_BYTES);
  const buffer = Buffer.from(new ArrayBuffer(size));
  const view = new DataView(buffer.buffer);
  writeHeader(view, OID.text, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    const bytes = buffer.write(value, at + 4, 'utf8');
    view.setInt32(at, bytes);
    at += 4 + bytes;
  }
  return new Uint8Array(view.buffer.slice(0, at));
};

export const toInt4s = (values: ArrayLike<number>): PgColumn =>
  toNumbers(OID.int4, 4, values, (view, at, value) => view.setInt32(at, value));

/** A column of numbers that are not negative. */
export const toInt8s = (values: ArrayLike<number>): PgColumn =>
  toNumbers(OID.int8, 8, values, (view, at, value) => {
    view.setInt32(at, Math.floor(value / TWO_32));
    view.setUint32(at + 4, value % TWO_32);
  });

/** A column of 0 and 1. */
export const toBools = (values: ArrayLike<number>): PgColumn =>
  toNumbers(OID.bool, 1, values, (view, at, value) => view.setUint8(at, value));

/** A fix that an answer brought for the unit of a row. */
interface NewFix {
  row: number;
  fixMs: number;
  lat: number;
  lng: number;
  isByReceipt: boolean;
}

const toHour = (ms: number): number => Math.floor(ms / HOUR_MS);

const differ = (names: readonly Column[], a: Columns, b: Columns, row: number): boolean => {
  for (const name of names) if (a[name][row] !== b[name][row]) return true;
  return false;
};

type UnitOfRow = (row: number) => { memory: () => MotionMemory | null; former: FormerKey | null };

/** The changes of a fleet from poll to poll, for the recording. */
export class RecordedChanges {
  #fixes: NewFix[] = [];
  #before: FleetRows | null = null;
  #seenMs = 0;

  add(fix: NewFix): void {
    this.#fixes.push(fix);
  }

  /** The rows have other numbers from now on: all of them are recorded with the next answer. */
  forget(): void {
    this.#before = null;
  }

  /**
   * The changes since the last call, where the rows are now `after`, by the answer that came at `seenMs`.
   *
   * @param unitOf what the unit of a row can resume from, and its former key
   */
  take(after: FleetRows, seenMs: number, unitOf: UnitOfRow): PollChanges | null {
    const before = toHour(this.#seenMs) === toHour(seenMs) ? this.#before : null;
    const names = toIdentityRows(this.#before, after, unitOf);
    const motions = toMotionRows(this.#before, after, unitOf);
    this.#before = after;
    this.#seenMs = seenMs;
    const fixes = this.#fixes.filter(({ row }) => after.identities[row] != null);
    this.#fixes = [];
    const isShown = fixes.map((fix) => isShownFix(fix, after.columns));
    const rows = toStateRows(
      before,
      after,
      new Set(fixes.filter((_, i) => isShown[i]).map(({ row }) => row)),
    );
    if (fixes.length === 0 && rows === null && names === null && motions === null) return null;
    return { seenMs, fixes: toFixRows(fixes, isShown, after), states: rows, identities: names, motions };
  }
}

const isShownFix = ({ row, fixMs, lat, lng }: NewFix, { latE5, lngE5, fixAtS }: Columns): boolean =>
  fixAtS[row] === toSeconds(fixMs) && latE5[row] === toE5(lat) && lngE5[row] === toE5(lng);

const toFixRows = (
  fixes: readonly NewFix[],
  isShown: readonly boolean[],
  { identities, columns: { speedKph, headingDeg } }: FleetRows,
): PgRows | null =>
  fixes.length === 0
    ? null
    : {
        count: fixes.length,
        columns: [
          toTexts(fixes.map(({ row }) => identities[row]!.key)),
          toInt8s(fixes.map(({ fixMs }) => Math.round(fixMs))),
          toInt4s(fixes.map(({ lat }) => toE5(lat))),
          toInt4s(fixes.map(({ lng }) => toE5(lng))),
          toBools(fixes.map(({ isByReceipt }) => Number(isByReceipt))),
          toInt4s(fixes.map(({ row }, i) => (isShown[i] ? speedKph[row]! : NOT_SHOWN))),
          toInt4s(fixes.map(({ row }, i) => (isShown[i] ? headingDeg[row]! : NOT_SHOWN))),
        ],
      };

/**
 * The rows in which more changed than a new fix explains, or all without `before`; an old key that is gone has a row.
 */
const toStateRows = (
  before: FleetRows | null,
  { rows, identities, columns }: FleetRows,
  hasFix: ReadonlySet<number>,
): PgRows | null => {
  const changed: number[] = [];
  const gone: string[] = [];
  for (let row = 0; row < rows; row++) {
    const [now, then] = [identities[row], before?.identities[row]];
    if (then && then.key !== now?.key) gone.push(then.key);
    if (!now) continue;
    if (
      !before ||
      then?.key !== now.key ||
      differ(RECORDED_STATE_COLUMNS, before.columns, columns, row) ||
      (differ(MOTION_COLUMNS, before.columns, columns, row) && !hasFix.has(row))
    )
      changed.push(row);
  }
  const count = changed.length + gone.length;
  if (count === 0) return null;
  const toColumn = (name: Column): Int32Array => {
    const values = new Int32Array(count).fill(NOT_SHOWN);
    changed.forEach((row, i) => (values[i] = columns[name][row]!));
    return values;
  };
  return {
    count,
    columns: [
      toTexts([...changed.map((row) => identities[row]!.key), ...gone]),
      ...RECORDED_COLUMNS.map((name) => toInt4s(toColumn(name))),
    ],
  };
};

const toIdentityRows = (
  before: FleetRows | null,
  { identities }: FleetRows,
  unitOf: UnitOfRow,
): PgRows | null => {
  if (before?.identities === identities) return null;
  const entries: [key: string, identity: UnitIdentity & { former?: FormerKey }][] = [];
  identities.forEach((identity, row) => {
    if (identity === null || before?.identities[row] === identity) return;
    const { former } = unitOf(row);
    entries.push([identity.key, former === null ? identity : { ...identity, former }]);
  });
  return toJsonRows(entries);
};

const UNHEARD: ReadonlySet<number> = new Set([STATUSES.indexOf('late'), STATUSES.indexOf('silent')]);

/** The motion that units which became late or silent can resume from, which their rows have no more. */
const toMotionRows = (
  before: FleetRows | null,
  { rows, identities, columns }: FleetRows,
  unitOf: UnitOfRow,
): PgRows | null => {
  const entries: [key: string, memory: MotionMemory][] = [];
  for (let row = 0; row < rows; row++) {
    const identity = identities[row];
    if (!identity || !UNHEARD.has(columns.status[row]!)) continue;
    const isKnown =
      before?.identities[row]?.key === identity.key &&
      !differ(['status', 'fixAtS'], before.columns, columns, row);
    const memory = isKnown ? null : unitOf(row).memory();
    if (memory !== null) entries.push([identity.key, memory]);
  }
  return toJsonRows(entries);
};

const toJsonRows = (entries: readonly [key: string, value: object][]): PgRows | null =>
  entries.length === 0
    ? null
    : {
        count: entries.length,
        columns: [
          toTexts(entries.map(([key]) => key)),
          toTexts(entries.map(([, value]) => JSON.stringify(value))),
        ],
      };
