import 'server-only';
import { MOTION_COLUMNS, STATE_COLUMNS } from '@/lib/wire/fleet';
import type { Column, Fleet, UnitIdentity } from '@/lib/wire/fleet';
import { toGaps } from '@/lib/wire/live';
import type { Change, LiveAnswer } from '@/lib/wire/live';

/** Rows in which one of these columns differs, and by how much; against zeros where there is no `previous`. */
const toChange = (names: readonly Column[], previous: Fleet | null, next: Fleet): Change => {
  const unchanged = previous?.columns === next.columns;
  const columns = names.map((name) => ({
    now: next.columns[name],
    then: previous?.columns[name] ?? new Int32Array(0),
  }));
  const rows: number[] = [];
  for (let row = 0; !unchanged && row < next.rows; row++) {
    // A loop, not some(): at 100,000 units the closure a row is what would take the time.
    for (const { now, then } of columns) {
      if (now[row] !== (then[row] ?? 0)) {
        rows.push(row);
        break;
      }
    }
  }
  const by = columns.map(({ now, then }) => rows.map((row) => now[row]! - (then[row] ?? 0)));
  return { rows: toGaps(rows), by };
};

/** A list of texts in which many repeat: each text once, and which one it is. */
const toRepeated = (texts: readonly (string | null)[]): { values: string[]; is: number[] } => {
  const indexOf = new Map<string, number>();
  const is = texts.map((text) => {
    if (text === null) return -1;
    const known = indexOf.get(text);
    if (known !== undefined) return known;
    indexOf.set(text, indexOf.size);
    return indexOf.size - 1;
  });
  return { values: [...indexOf.keys()], is };
};

const toIdentities = (rows: number[], all: readonly (UnitIdentity | null)[]): LiveAnswer['identities'] => {
  const named = rows.map((row) => all[row]!);
  return {
    rows: toGaps(rows),
    key: named.map(({ key }) => key),
    vin: named.map(({ vin }) => vin),
    truckNumber: named.map(({ truckNumber }) => truckNumber),
    plateNumber: named.map(({ plateNumber }) => plateNumber),
    deviceId: named.map(({ deviceId }) => deviceId),
    plateState: toRepeated(named.map(({ plateState }) => plateState)),
    make: toRepeated(named.map(({ make }) => make)),
    model: toRepeated(named.map(({ model }) => model)),
    fuelType: toRepeated(named.map(({ fuelType }) => fuelType)),
    assetType: toRepeated(named.map(({ assetType }) => assetType)),
    year: named.map(({ year }) => year),
  };
};

/**
 * What changed from `previous` to `next`, or all of `next` where there is none: applyLiveAnswer's inverse.
 * Identities are compared by reference. `previous` must be of the same epoch and have no more rows.
 *
 * @throws RangeError when `previous` has more rows than `next`.
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
    identities: toIdentities(named, next.identities),
    removed: toGaps(removed),
    motion: toChange(MOTION_COLUMNS, previous, next),
    state: toChange(STATE_COLUMNS, previous, next),
    feed: next.feed,
    account: next.account,
  };
};
