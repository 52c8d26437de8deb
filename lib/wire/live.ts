import {
  COLUMNS,
  MOTION_COLUMNS,
  STATE_COLUMNS,
  type CarrierAccount,
  type Column,
  type Columns,
  type FeedState,
  type Fleet,
  type UnitIdentity,
} from './fleet';

/** Rows whose columns changed, ascending, as gaps to the row before; `by[c][i]` is new less old. */
export interface LiveChange {
  rows: ArrayLike<number>;
  by: readonly ArrayLike<number>[];
}

/**
 * GET /api/fleets/:usdot/live?since=: the changes since a version; everything when `since` is null.
 *
 * Columns are integer differences to the version `since` (to zero where it is null or the row is new), in the
 * order of MOTION_COLUMNS and STATE_COLUMNS. `removed` and every `rows` are ascending, coded as gaps. An
 * answer is made once a version, for all requests: `nowMs` is when, by the server's clock, and the next
 * version is due `nextPollMs` after that moment, not after the answer's arrival.
 */
export interface LiveAnswer {
  usdot: string;
  version: string;
  since: string | null;
  nowMs: number;
  nextPollMs: number;
  rows: number;
  /** Units that are new in their rows, or were renamed. */
  named: { rows: ArrayLike<number>; identities: UnitIdentity[] };
  removed: ArrayLike<number>;
  motion: LiveChange;
  state: LiveChange;
  feed: FeedState;
  account: CarrierAccount | null;
}

/** Ascending row numbers to gaps: 3, 4, 9 becomes 3, 1, 5. */
export const toGaps = (rows: readonly number[]): Int32Array => {
  const gaps = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) gaps[i] = rows[i]! - (rows[i - 1] ?? 0);
  return gaps;
};

/** Gaps to ascending row numbers, each below `rows`. @throws RangeError when they are not. */
const fromGaps = (gaps: ArrayLike<number>, rows: number, name: string): Int32Array => {
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

/** Validates a change as a whole, so that one that does not fit changes nothing. */
const requireChange = (names: readonly Column[], change: LiveChange, rows: number): Int32Array => {
  const at = fromGaps(change.rows, rows, names[0]!);
  names.forEach((name, c) => {
    const by = change.by[c];
    if (by?.length !== at.length) {
      throw new RangeError(`${name}: got ${by?.length ?? 'no'} changes when ${at.length} are expected.`);
    }
  });
  return at;
};

const applyChange = (
  columns: Columns,
  names: readonly Column[],
  at: Int32Array,
  change: LiveChange,
): void => {
  names.forEach((name, c) => {
    const column = columns[name];
    const by = change.by[c]!;
    for (let i = 0; i < at.length; i++) column[at[i]!]! += by[i]!;
  });
};

/** Copies of the columns that a change is applied to, because a rendered fleet is never modified. */
const toNextColumns = (held: Columns | null, { rows, motion, state }: LiveAnswer): Columns => {
  const next = createColumns(0);
  const copy = (names: readonly Column[], change: LiveChange): void => {
    for (const name of names) {
      const column = held?.[name];
      if (column?.length === rows && change.rows.length === 0) next[name] = column;
      else {
        next[name] = new Int32Array(rows);
        if (column) next[name].set(column);
      }
    }
  };
  copy(MOTION_COLUMNS, motion);
  copy(STATE_COLUMNS, state);
  return next;
};

/**
 * The fleet after an answer; what did not change is shared with `held`, which is not modified. @throws RangeError when
 * the answer does not follow from `held`: request again without `since`.
 */
export const applyLiveAnswer = (held: Fleet | null, answer: LiveAnswer): Fleet => {
  if (answer.since !== null && answer.since !== held?.version) {
    throw new RangeError(`A change since ${answer.since} when ${held?.version ?? 'nothing'} is held.`);
  }
  const base = answer.since === null ? null : held;
  if (base && answer.rows < base.rows) {
    throw new RangeError(`A change to ${answer.rows} rows when ${base.rows} are held.`);
  }
  const named = fromGaps(answer.named.rows, answer.rows, 'named');
  if (named.length !== answer.named.identities.length) {
    throw new RangeError(`Got ${answer.named.identities.length} identities for ${named.length} rows.`);
  }
  const removed = fromGaps(answer.removed, answer.rows, 'removed');
  const moved = requireChange(MOTION_COLUMNS, answer.motion, answer.rows);
  const changed = requireChange(STATE_COLUMNS, answer.state, answer.rows);

  const columns = toNextColumns(base?.columns ?? null, answer);
  const isRenamed = named.length > 0 || removed.length > 0;
  const identities = !base || isRenamed ? [...(base?.identities ?? [])] : base.identities;
  while (identities.length < answer.rows) identities.push(null);
  named.forEach((row, i) => {
    identities[row] = answer.named.identities[i]!;
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
