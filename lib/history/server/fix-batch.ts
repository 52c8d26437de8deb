import 'server-only';

/** The new fixes of one poll, each column as an array in PostgreSQL's binary format. */
export interface FixColumns {
  count: number;
  /** When the answer came, Unix ms. */
  seenMs: number;
  units: Uint8Array<ArrayBuffer>;
  fixMs: Uint8Array<ArrayBuffer>;
  latE5: Uint8Array<ArrayBuffer>;
  lngE5: Uint8Array<ArrayBuffer>;
  isByReceipt: Uint8Array<ArrayBuffer>;
}

/** The memory of the columns, which another thread can take over. */
export const listBuffers = ({ units, fixMs, latE5, lngE5, isByReceipt }: FixColumns): ArrayBuffer[] =>
  [units, fixMs, latE5, lngE5, isByReceipt].map(({ buffer }) => buffer);

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
  values: readonly number[],
  write: (view: DataView, at: number, value: number) => void,
): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + values.length * (4 + bytes)));
  writeHeader(view, oid, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    view.setInt32(at, bytes);
    write(view, at + 4, value);
    at += 4 + bytes;
  }
  return new Uint8Array(view.buffer);
};

const toTexts = (values: readonly string[]): Uint8Array<ArrayBuffer> => {
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

const writeInt4 = (view: DataView, at: number, value: number): void => view.setInt32(at, value);
const writeInt8 = (view: DataView, at: number, value: number): void => {
  view.setInt32(at, Math.floor(value / TWO_32));
  view.setUint32(at + 4, value % TWO_32);
};
const writeBool = (view: DataView, at: number, value: number): void => view.setUint8(at, value);

/** Collects the new fixes of one poll. */
export class FixBatch {
  readonly #units: string[] = [];
  readonly #fixMs: number[] = [];
  readonly #latE5: number[] = [];
  readonly #lngE5: number[] = [];
  readonly #isByReceipt: number[] = [];

  /** @param fixMs Unix ms, not negative; `lat` and `lng` are in degrees */
  add(unit: string, fixMs: number, lat: number, lng: number, isByReceipt: boolean): void {
    this.#units.push(unit);
    this.#fixMs.push(Math.round(fixMs));
    this.#latE5.push(Math.round(lat * 1e5));
    this.#lngE5.push(Math.round(lng * 1e5));
    this.#isByReceipt.push(isByReceipt ? 1 : 0);
  }

  /** The columns, in buffers of their own that another thread can take. */
  toColumns(seenMs: number): FixColumns {
    return {
      count: this.#units.length,
      seenMs,
      units: toTexts(this.#units),
      fixMs: toNumbers(OID.int8, 8, this.#fixMs, writeInt8),
      latE5: toNumbers(OID.int4, 4, this.#latE5, writeInt4),
      lngE5: toNumbers(OID.int4, 4, this.#lngE5, writeInt4),
      isByReceipt: toNumbers(OID.bool, 1, this.#isByReceipt, writeBool),
    };
  }
}
