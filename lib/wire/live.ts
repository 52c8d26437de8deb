import { z } from 'zod';
import { carrierAccountSchema } from './carrier';
import { COLUMNS, MOTION_COLUMNS, STATE_COLUMNS } from './fleet';
import type { Column, Columns, Fleet, UnitIdentity } from './fleet';

/** A long list is checked where it is applied, number by number, not twice. */
const numbers = z.custom<number[]>(Array.isArray, 'expected a list of numbers');
const strings = z.custom<(string | null)[]>(Array.isArray, 'expected a list of texts');
/** A text that repeats: `is[i]` is an index into `values`, -1 for none. */
const repeated = z.object({ values: z.array(z.string()), is: numbers });

const identitiesSchema = z.object({
  rows: numbers,
  key: strings,
  vin: strings,
  truckNumber: strings,
  plateNumber: strings,
  deviceId: strings,
  plateState: repeated,
  make: repeated,
  model: repeated,
  fuelType: repeated,
  assetType: repeated,
  year: z.custom<(number | null)[]>(Array.isArray, 'expected a list of years'),
});

/** Rows whose columns changed, ascending, as gaps to the row before; `by[c][i]` is new less old. */
const changeSchema = z.object({ rows: numbers, by: z.array(numbers) });
export type Change = z.infer<typeof changeSchema>;

const feedStateSchema = z.object({
  fetchedAtMs: z.number().nullable(),
  staleSinceMs: z.number().nullable(),
  problem: z
    .object({
      kind: z.enum(['network', 'timeout', 'auth', 'status', 'shape', 'rateLimit', 'internal']),
      message: z.string(),
      detail: z.string(),
      sinceMs: z.number(),
    })
    .nullable(),
  activeUnits: z.number(),
  rosterVins: z.number().nullable(),
  droppedRecords: z.number(),
  repairedFields: z.number(),
});

/**
 * GET /api/fleets/:usdot/live?since=: what changed since a version; everything when `since` is null.
 *
 * Columns are integer differences to the version `since` (to zero where it is null or the row is new), in
 * the order of MOTION_COLUMNS and STATE_COLUMNS. `removed` and every `rows` are ascending, coded as gaps.
 * An answer is made once a version, however many ask: `nowMs` is when, by the server's clock, and the next
 * version is due `nextPollMs` after that moment, not after the answer's arrival.
 */
export const liveAnswerSchema = z.object({
  usdot: z.string(),
  version: z.string(),
  since: z.string().nullable(),
  nowMs: z.number(),
  nextPollMs: z.number(),
  rows: z.number().int().nonnegative(),
  identities: identitiesSchema,
  removed: numbers,
  motion: changeSchema,
  state: changeSchema,
  feed: feedStateSchema,
  account: carrierAccountSchema.nullable(),
});
export type LiveAnswer = z.infer<typeof liveAnswerSchema>;

/** Ascending row numbers to gaps: 3, 4, 9 becomes 3, 1, 5. */
export const toGaps = (rows: readonly number[]): number[] => rows.map((row, i) => row - (rows[i - 1] ?? 0));

/**
 * Gaps to ascending row numbers, each below `rows`.
 *
 * @throws RangeError when they are not.
 */
const fromGaps = (gaps: readonly number[], rows: number, name: string): Int32Array => {
  const at = new Int32Array(gaps.length);
  let row = 0;
  for (let i = 0; i < gaps.length; i++) {
    const gap = gaps[i]!;
    row += gap;
    if (!Number.isInteger(gap) || gap < (i === 0 ? 0 : 1) || row >= rows) {
      throw new RangeError(
        `${name}: got a gap of ${gap} to row ${row} when ${rows} ascending rows are expected.`,
      );
    }
    at[i] = row;
  }
  return at;
};

export const createColumns = (rows: number): Columns =>
  Object.fromEntries(COLUMNS.map((name) => [name, new Int32Array(rows)])) as Columns;

/** Columns of at least `rows` rows that begin with these; grown by half, so that appending stays cheap. */
export const withRoom = (columns: Columns, rows: number): Columns => {
  const held = columns.latE5.length;
  if (rows <= held) return columns;
  const grown = createColumns(Math.max(rows, held + (held >> 1)));
  for (const name of COLUMNS) grown[name].set(columns[name]);
  return grown;
};

/** Checks a change as a whole, so that one that does not fit changes nothing. */
const requireChange = (names: readonly Column[], change: Change, rows: number): Int32Array => {
  const at = fromGaps(change.rows, rows, names[0]!);
  names.forEach((name, c) => {
    const by = change.by[c];
    if (by?.length !== at.length || !by.every(Number.isSafeInteger)) {
      throw new RangeError(
        `${name}: got ${by?.length ?? 'no'} changes when ${at.length} integers are expected.`,
      );
    }
  });
  return at;
};

const applyChange = (columns: Columns, names: readonly Column[], at: Int32Array, change: Change): void => {
  names.forEach((name, c) => {
    const column = columns[name];
    const by = change.by[c]!;
    for (let i = 0; i < at.length; i++) column[at[i]!]! += by[i]!;
  });
};

const readIdentity = (from: LiveAnswer['identities'], i: number): UnitIdentity => {
  const text = (list: { values: string[]; is: number[] }) => list.values[list.is[i] ?? -1] ?? null;
  return {
    key: from.key[i] ?? '',
    vin: from.vin[i] ?? null,
    truckNumber: from.truckNumber[i] ?? null,
    plateState: text(from.plateState),
    plateNumber: from.plateNumber[i] ?? null,
    make: text(from.make),
    model: text(from.model),
    year: from.year[i] ?? null,
    fuelType: text(from.fuelType),
    assetType: text(from.assetType),
    deviceId: from.deviceId[i] ?? null,
  };
};

/**
 * The fleet after an answer. The typed arrays and the list of identities of `held` are changed in place
 * and handed on in a new Fleet, so that a poll copies nothing; `held` must not be read afterwards.
 *
 * @throws RangeError when the answer does not follow from `held`, which is then as it was: ask again
 * without `since`.
 */
export const applyLiveAnswer = (held: Fleet | null, answer: LiveAnswer): Fleet => {
  if (answer.since !== null && answer.since !== held?.version) {
    throw new RangeError(`A change since ${answer.since} when ${held?.version ?? 'nothing'} is held.`);
  }
  const base = answer.since === null ? null : held;
  if (base && answer.rows < base.rows) {
    throw new RangeError(`A change to ${answer.rows} rows when ${base.rows} are held.`);
  }
  const named = fromGaps(answer.identities.rows, answer.rows, 'identities');
  const removed = fromGaps(answer.removed, answer.rows, 'removed');
  const moved = requireChange(MOTION_COLUMNS, answer.motion, answer.rows);
  const changed = requireChange(STATE_COLUMNS, answer.state, answer.rows);

  const columns = withRoom(base?.columns ?? createColumns(answer.rows), answer.rows);
  const identities = base?.identities ?? [];
  while (identities.length < answer.rows) identities.push(null);
  named.forEach((row, i) => {
    identities[row] = readIdentity(answer.identities, i);
  });
  removed.forEach((row) => {
    identities[row] = null;
  });
  applyChange(columns, MOTION_COLUMNS, moved, answer.motion);
  applyChange(columns, STATE_COLUMNS, changed, answer.state);
  return {
    usdot: answer.usdot,
    version: answer.version,
    rows: answer.rows,
    identities,
    columns,
    feed: answer.feed,
    account: answer.account,
  };
};
