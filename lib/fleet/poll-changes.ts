import 'server-only';

/** A column of rows, as an array in PostgreSQL's binary format. */
export type PgColumn = Uint8Array<ArrayBuffer>;

export interface PgRows {
  count: number;
  columns: PgColumn[];
}

/** The key under which a unit was recorded before its present one, and until when, Unix ms. */
export interface FormerKey {
  key: string;
  untilMs: number;
}

/** What one poll of a fleet changed; null where there is nothing of the kind. */
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

/** Of numbers that are not negative. */
export const toInt8s = (values: ArrayLike<number>): PgColumn =>
  toNumbers(OID.int8, 8, values, (view, at, value) => {
    view.setInt32(at, Math.floor(value / TWO_32));
    view.setUint32(at + 4, value % TWO_32);
  });

/** Of 0 and 1. */
export const toBools = (values: ArrayLike<number>): PgColumn =>
  toNumbers(OID.bool, 1, values, (view, at, value) => view.setUint8(at, value));
