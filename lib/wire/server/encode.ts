import 'server-only';
import { MOTION_COLUMNS, STATE_COLUMNS, type Column, type Fleet } from '../fleet';
import { toGaps, type LiveChange, type LiveAnswer } from '../live';

/** Rows in which one of these columns differs, and the differences; to zeros without `previous`. */
const toChange = (names: readonly Column[], previous: Fleet | null, next: Fleet): LiveChange => {
  const unchanged = previous?.columns === next.columns;
  const columns = names.map((name) => ({
    now: next.columns[name],
    then: previous?.columns[name] ?? new Int32Array(0),
  }));
  const rows: number[] = [];
  for (let row = 0; !unchanged && row < next.rows; row++) {
    // A loop, not some(): at 100,000 units a closure for each row dominates the time.
    for (const { now, then } of columns) {
      if (now[row] !== (then[row] ?? 0)) {
        rows.push(row);
        break;
      }
    }
  }
  const by = columns.map(({ now, then }) => {
    const differences = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) differences[i] = now[rows[i]!]! - (then[rows[i]!] ?? 0);
    return differences;
  });
  return { rows: toGaps(rows), by };
};

/**
 * The changes from `previous` to `next`, or all of `next`: applyLiveAnswer's inverse. Identities are compared by
 * reference; `previous` is of the same epoch. @throws RangeError when it has more rows.
 */
export const encodeLive = (
  previous: Fleet | null,
  next: Fleet,
  { nowMs, nextPollMs }: { nowMs: number; nextPollMs: number },
): LiveAnswer => {
  if (previous && previous.rows > next.rows) {
    throw new RangeError(`Got a fleet of ${next.rows} rows when ${previous.rows} or more are expected.`);
  }
  const named: number[] = [];
  const removed: number[] = [];
  const then = previous?.identities ?? [];
  for (let row = 0; then !== next.identities && row < next.rows; row++) {
    const identity = next.identities[row] ?? null;
    const before = then[row] ?? null;
    if (identity === before) continue;
    if (identity === null) removed.push(row);
    else named.push(row);
  }
  return {
    usdot: next.usdot,
    version: next.version,
    since: previous?.version ?? null,
    nowMs,
    nextPollMs,
    rows: next.rows,
    named: { rows: toGaps(named), identities: named.map((row) => next.identities[row]!) },
    removed: toGaps(removed),
    motion: toChange(MOTION_COLUMNS, previous, next),
    state: toChange(STATE_COLUMNS, previous, next),
    feed: next.feed,
    account: next.account,
  };
};
