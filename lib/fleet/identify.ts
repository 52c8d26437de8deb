import 'server-only';
import { hasValidCheckDigit } from '@/lib/identity/vin';
import { distanceM } from '@/lib/geo/geodesy';
import { isOutOfReach } from '@/lib/motion/leg';
import type { MotionSettings } from '@/lib/motion/settings';
import { newestOf } from '@/lib/motion/track';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import {
  NAME_KINDS,
  NAME_LABELS,
  compareNames,
  haveSameName,
  nameOf,
  toNameKey,
  toPlainKey,
  toPlainName,
  toSharedKey,
  type Names,
} from '@/lib/wire/unit-names';
import { toApartM, toClearPairs, type Pair } from './match-places';
import type { RosterVins } from './unit/unit-flags';
import type { UnitRecord } from './unit/unit-record';
import { addTo } from '@/lib/base/maps';

/** The known units of the fleet that an answer is matched with. */
interface KnownUnits {
  records: readonly (UnitRecord | null)[];
  rowOf: ReadonlyMap<string, number>;
  /** Whether the last accepted answer lists the unit of a row. */
  isCurrent: (row: number) => boolean;
  roster: RosterVins;
  motion: MotionSettings;
}

export interface IdentifiedUnits {
  /** The units of the answer, each under the key of the known unit that it matches. */
  units: readonly TrackedUnit[];
  /** The row of each; -1 for a unit that is new. */
  rows: Int32Array;
  /** The units with a better key than the unit of their row, which then gets that key. */
  renamed: readonly number[];
}

/** A unit and its record may differ by this much without motion: two receivers, or clocks that differ. */
const SLACK_M = 1000;
/** A name that several records of one answer share matches none of them. */
const MOST_SHARING = 8;
/** The most pairs of a record and a unit that are compared by their places. */
const MOST_PAIRS = 250_000;
/** A VIN that differs in more characters than this is another VIN; a swap of two counts as two. */
const MOST_MISTYPED = 2;
const VIN_CHARACTERS = 17;

const isByVin = ({ key, vin }: UnitIdentity): boolean => key === vin;

/** The VIN that a record itself gives as its key; null where it gives none. */
const vinOf = (identity: UnitIdentity): string | null => (isByVin(identity) ? identity.vin : null);

/** Whether a record is further from the unit's newest fix than any truck drives in that time. */
const isElsewhere = (
  { history }: UnitRecord,
  { position, fixAtMs }: TrackedUnit,
  nowMs: number,
  motion: MotionSettings,
): boolean => {
  const held = newestOf(history.state.motionState.track);
  if (!held || !position) return false;
  return isOutOfReach(held, position, (fixAtMs ?? nowMs) - held.fixAtMs, SLACK_M, motion);
};

/** The row of the unit with a record's own key; -1 where there is none, or another vehicle has that key. */
const findExact = (unit: TrackedUnit, { records, rowOf, motion }: KnownUnits, nowMs: number): number => {
  const { identity } = unit;
  const row = rowOf.get(identity.key) ?? -1;
  const record = records[row];
  if (!record || isByVin(identity)) return row;
  if (compareNames(record.history.state.names, identity).different === 0) return row;
  return isElsewhere(record, unit, nowMs, motion) ? -1 : row;
};

/** How well names match one vehicle: above 0 where all names that both have agree, or two of three do. */
const toFit = (a: Names, b: Names): number => {
  const { same, different } = compareNames(a, b);
  return same - different;
};

/** Whether a VIN has a valid check digit or is on the roster. */
export const isCredible = (vin: string, roster: RosterVins): boolean =>
  hasValidCheckDigit(vin) || roster?.has(vin) === true;

const areClose = (a: string, b: string): boolean => {
  if (a.length !== VIN_CHARACTERS || b.length !== VIN_CHARACTERS) return false;
  let different = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) different++;
  return different <= MOST_MISTYPED;
};

/**
 * The relation of a record to a known unit whose names match: the same unit, the same under a better key, or
 * another one.
 */
type Match = 'same' | 'renamed' | null;

const matchVins = (unit: UnitIdentity, known: UnitIdentity, isNew: boolean, roster: RosterVins): Match => {
  const same = isNew ? 'same' : null;
  const [vin, knownVin] = [vinOf(unit), vinOf(known)];
  if (vin === null) return same;
  if (knownVin === null) return 'renamed';
  if (!areClose(vin, knownVin)) return null;
  const isBetter = isCredible(vin, roster);
  if (!isCredible(knownVin, roster)) return isBetter ? 'renamed' : same;
  return isBetter ? null : same;
};

/** How many of VIN, device, truck number and plate differ from the unit's last record; one left out or added counts. */
const countChanges = ({ identity }: TrackedUnit, { last, state }: UnitRecord['history']): number => {
  if (last === null) return Infinity;
  // The VIN of a record that was taken for the unit is not the one that the provider gave.
  const isTaken = last.flags.some(({ flag }) => flag === 'notIdentified');
  let changes = vinOf(identity) === (isTaken ? null : vinOf(state.identity)) ? 0 : 1;
  for (const kind of NAME_KINDS) {
    const [name, before] = [nameOf(identity, kind), nameOf(last.identity, kind)];
    if (name !== before && toPlainName(name ?? '') !== toPlainName(before ?? '')) changes++;
  }
  return changes;
};

/** A provider that corrects a VIN may leave the truck out for a while. */
const CORRECTED_WITHIN_MS = 2 * 3_600_000;
/** So many names have to agree where it was left out. */
const LEAST_SAME = 2;

/** Whether a record may be of a unit of which one key was corrected: of one that is listed, or was a while ago. */
const mayBeCorrected = (
  { identity }: TrackedUnit,
  { history, isListed, sinceMs }: UnitRecord,
  nowMs: number,
): boolean =>
  isListed ||
  (nowMs - sinceMs <= CORRECTED_WITHIN_MS && compareNames(history.state.names, identity).same >= LEAST_SAME);

/** Whether a record gives another VIN or another name than its unit has. */
const isContradicted = (unit: UnitIdentity, { state }: UnitRecord['history']): boolean => {
  const [vin, knownVin] = [vinOf(unit), vinOf(state.identity)];
  return (
    (vin !== null && knownVin !== null && vin !== knownVin) || compareNames(state.names, unit).different > 0
  );
};

/** The relation of a record to the unit of which one key was corrected. */
const matchCorrected = (unit: UnitIdentity, known: UnitIdentity, roster: RosterVins): Match => {
  const [vin, knownVin] = [vinOf(unit), vinOf(known)];
  if (vin === null || knownVin === null) return vin === null ? 'same' : 'renamed';
  return isCredible(vin, roster) || !isCredible(knownVin, roster) ? 'renamed' : 'same';
};

/** Whether a unit has its key from a name that its record gives otherwise now, or from a number of one answer. */
const hasFormerKey = (unit: UnitIdentity, known: UnitIdentity): boolean => {
  if (toSharedKey(unit.key) !== null) return false;
  if (toSharedKey(known.key) !== null) return true;
  const kind = NAME_KINDS.find((each) => toNameKey(known, each) === known.key);
  return kind !== undefined && nameOf(unit, kind) !== null && !haveSameName(unit, known, kind);
};

interface Candidate {
  row: number;
  match: Match;
  /** How well its names match, and among equals how recently it was listed. */
  score: number;
  /** Another unit that matches as well; -1 where there is none. */
  otherRow: number;
}

/** The better candidate: of two that match equally well, the one that was listed last. */
const toBest = (best: Candidate | undefined, next: Candidate): Candidate => {
  if (best === undefined || next.score > best.score) return next;
  if (best.row === next.row || best.score > next.score) return best;
  return { ...best, otherRow: next.row };
};

/** The records that have a name, by that name. */
const indexNames = (units: readonly TrackedUnit[], open: readonly number[]): Map<string, number[]> => {
  const index = new Map<string, number[]>();
  for (const i of open) {
    for (const kind of NAME_KINDS) {
      const key = toPlainKey(units[i]!.identity, kind);
      if (key !== null) addTo(index, key, i);
    }
  }
  return index;
};

/** Whether a record has a name of a unit that no other record of the answer has. */
type HaveOwnName = (unit: TrackedUnit, names: Names) => boolean;

const createHaveOwnName = (units: readonly TrackedUnit[]): HaveOwnName => {
  // Counted when it is first needed: while every key is known, it is not.
  let counts: Map<string, number> | null = null;
  const countAll = (): Map<string, number> => {
    const counted = new Map<string, number>();
    for (const { identity } of units) {
      for (const kind of NAME_KINDS) {
        const key = toPlainKey(identity, kind);
        if (key !== null) counted.set(key, (counted.get(key) ?? 0) + 1);
      }
    }
    return counted;
  };
  return ({ identity }, names) => {
    counts ??= countAll();
    return NAME_KINDS.some(
      (kind) => haveSameName(names, identity, kind) && counts!.get(toPlainKey(identity, kind)!) === 1,
    );
  };
};

/** The known units among `pool` that records without a known key match best, by the index of the record. */
const findCandidates = (
  units: readonly TrackedUnit[],
  rows: Int32Array,
  open: readonly number[],
  pool: readonly number[],
  { records, roster, motion, isCurrent }: KnownUnits,
  nowMs: number,
): Map<number, Candidate> => {
  const index = indexNames(units, open);
  const haveOwnName = createHaveOwnName(units);
  const candidates = new Map<number, Candidate>();
  const consider = (i: number, row: number): void => {
    if (candidates.get(i)?.row === row) return;
    const record = records[row]!;
    const unit = units[i]!;
    const { identity, names } = record.history.state;
    let match = matchVins(unit.identity, identity, rows[i]! < 0, roster);
    let fit = match === null ? 0 : toFit(names, unit.identity);
    const isCorrected =
      fit <= 0 &&
      mayBeCorrected(unit, record, nowMs) &&
      countChanges(unit, record.history) <= 1 &&
      haveOwnName(unit, names);
    if (isCorrected) [match, fit] = [matchCorrected(unit.identity, identity, roster), 1];
    if (fit <= 0) return;
    if (isElsewhere(record, unit, nowMs, motion)) return;
    const score = 4 * fit + (isCurrent(row) ? 2 : Number(record.isListed));
    const candidate = { row, match, score, otherRow: -1 };
    candidates.set(i, toBest(candidates.get(i), candidate));
  };
  for (const row of pool) {
    for (const kind of NAME_KINDS) {
      const key = toPlainKey(records[row]!.history.state.names, kind);
      const sharing = key === null ? undefined : index.get(key);
      if (sharing && sharing.length <= MOST_SHARING) for (const i of sharing) consider(i, row);
    }
  }
  return candidates;
};

/** @param seenText the text for a viewer who may not see other units */
const withEvidence = (unit: TrackedUnit, text: string, seenText = text): TrackedUnit => {
  const before = unit.flags.find(({ flag }) => flag === 'notIdentified');
  const others = unit.flags.filter(({ flag }) => flag !== 'notIdentified');
  const join = (first: string | undefined, next: string): string => (first ? `${first} ${next}` : next);
  const whole = join(before?.text, text);
  const seen = join(before?.seenText ?? before?.text, seenText);
  const evidence = { flag: 'notIdentified', text: whole, ...(seen !== whole && { seenText: seen }) } as const;
  return { ...unit, flags: [...others, evidence] };
};

/** A record with the identity of its unit, flagged where the provider gives another VIN or none. */
const carryOver = (unit: TrackedUnit, { history }: UnitRecord): TrackedUnit => {
  const { identity: known, names } = history.state;
  const { vin } = unit.identity;
  const identity = { ...unit.identity, key: known.key };
  if (!isByVin(known) || vin === known.vin) return { ...unit, identity };
  const kinds = NAME_KINDS.filter((kind) => haveSameName(names, unit.identity, kind)).map(
    (kind) => NAME_LABELS[kind],
  );
  const by =
    kinds.length < 2 ? (kinds[0] ?? 'position') : `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`;
  const say = (given: string): string =>
    `The provider gives ${given}; it is taken for ${known.key} by its ${by}.`;
  // The VIN that it gives may be another truck's.
  const texts: [string, string?] =
    vin === null ? [say('no VIN for it')] : [say(`${vin} as its VIN`), say('another VIN for it')];
  // A fault of the VIN that was given does not apply to the one that is shown.
  const flags = unit.flags.filter(({ flag }) => flag !== 'badVin');
  return withEvidence({ ...unit, identity: { ...identity, vin: known.vin }, flags }, ...texts);
};

/** Units that several records match are matched with none of them. */
const findContested = (candidates: ReadonlyMap<number, Candidate>): Set<number> => {
  const claimed = new Set<number>();
  const contested = new Set<number>();
  for (const { row } of candidates.values()) {
    if (claimed.has(row)) contested.add(row);
    claimed.add(row);
  }
  return contested;
};

/** Writes the outcome for a record that is of the unit of a row: its row, key and flag. */
const take = (
  { units, rows, renamed }: { units: TrackedUnit[]; rows: Int32Array; renamed: number[] },
  { records, rowOf }: KnownUnits,
  i: number,
  row: number,
  match: Match,
): void => {
  const unit = units[i]!;
  const record = records[row]!;
  rows[i] = row;
  const isFormer =
    hasFormerKey(unit.identity, record.history.state.identity) && !rowOf.has(unit.identity.key);
  if (match === 'renamed' || isFormer) renamed.push(i);
  else units[i] = carryOver(unit, record);
};

/**
 * Matches records that only a number distinguishes (`numbered`: indexes by shared key), each with the nearest known
 * unit of that key from which it may have driven there, in whatever order the provider lists them.
 */
const matchNumbered = (
  units: readonly TrackedUnit[],
  numbered: ReadonlyMap<string, readonly number[]>,
  { records, rowOf, motion }: KnownUnits,
  nowMs: number,
  take: (index: number, row: number) => void,
): void => {
  const rowsByKey = new Map<string, Set<number>>();
  records.forEach((record, row) => {
    const shared = record && toSharedKey(record.history.state.identity.key);
    if (shared && numbered.has(shared)) rowsByKey.set(shared, (rowsByKey.get(shared) ?? new Set()).add(row));
  });
  const findNearest = (unit: TrackedUnit, rows: ReadonlySet<number>): number => {
    let [nearest, nearestM] = [-1, Infinity];
    for (const row of rows) {
      const record = records[row]!;
      const held = newestOf(record.history.state.motionState.track);
      if (!held || !unit.position || isElsewhere(record, unit, nowMs, motion)) continue;
      const apartM = distanceM(held, unit.position);
      if (apartM < nearestM) [nearest, nearestM] = [row, apartM];
    }
    return nearest;
  };
  for (const [shared, indexes] of numbered) {
    const rows = rowsByKey.get(shared) ?? new Set();
    const isLarge = rows.size * indexes.length > MOST_PAIRS;
    for (const i of indexes) {
      const unit = units[i]!;
      const isByNumber = isLarge || unit.position === null;
      const row = isByNumber ? (rowOf.get(unit.identity.key) ?? -1) : findNearest(unit, rows);
      // A row that has left the candidates belongs to another record of this answer.
      if (!rows.delete(row)) continue;
      take(i, row);
    }
  }
};

/** Matches the remaining records by position with units that left this answer and of which at most one key changed. */
const matchLeft = (
  identified: { units: TrackedUnit[]; rows: Int32Array; renamed: number[] },
  known: KnownUnits,
  isClaimed: Uint8Array,
  nowMs: number,
): void => {
  const { units, rows } = identified;
  const { records, roster, motion, isCurrent } = known;
  const left = [...rows.keys()].filter((i) => rows[i]! < 0);
  if (left.length === 0) return;
  for (const row of rows) if (row >= 0) isClaimed[row] = 1;
  const missing = [...records.keys()].filter((row) => records[row] && !isClaimed[row] && isCurrent(row));
  if (left.length * missing.length > MOST_PAIRS) return;
  const toPair = (i: number, row: number): Pair | null => {
    const { history } = records[row]!;
    const unit = units[i]!;
    if (countChanges(unit, history) > 1) return null;
    const apartM = toApartM(
      history.state.motionState.track,
      unit,
      nowMs,
      isContradicted(unit.identity, history),
      motion,
    );
    return apartM === null ? null : { i, row, apartM };
  };
  const pairs = left.flatMap((i) => missing.flatMap((row) => toPair(i, row) ?? []));
  for (const { i, row } of toClearPairs(pairs)) {
    const { identity } = records[row]!.history.state;
    const match = matchVins(units[i]!.identity, identity, true, roster);
    take(identified, known, i, row, match ?? matchCorrected(units[i]!.identity, identity, roster));
  }
};

/** Flags new units whose names fit others as well. */
const flagContested = (
  { units, rows }: { units: TrackedUnit[]; rows: Int32Array },
  candidates: ReadonlyMap<number, Candidate>,
  records: KnownUnits['records'],
): void => {
  for (const [i, { row, otherRow }] of candidates) {
    if (rows[i]! >= 0) continue;
    const keys = [row, otherRow].flatMap((each) => records[each]?.history.state.identity.key ?? []);
    const say = (units: string): string =>
      `Its names fit ${units}, and not this unit alone, so it is a unit of its own.`;
    units[i] = withEvidence(units[i]!, say(keys.join(' and ')), say('other units'));
  }
};

/**
 * Matches each record of an answer with a known unit: the one with its key, else the one missing unit whose names
 * match, perhaps but for a corrected key, whose VIN is not contradicted and from which it may have driven there.
 * Several matches are decided by places, or not at all. Changes no known unit.
 */
export const identifyUnits = (
  units: readonly TrackedUnit[],
  known: KnownUnits,
  nowMs: number,
): IdentifiedUnits => {
  const { records } = known;
  const rows = new Int32Array(units.length);
  const isClaimed = new Uint8Array(records.length);
  const open: number[] = [];
  const numbered = new Map<string, number[]>();
  for (let i = 0; i < units.length; i++) {
    const { identity } = units[i]!;
    const shared = toSharedKey(identity.key);
    if (shared !== null) addTo(numbered, shared, i);
    const row = shared === null ? findExact(units[i]!, known, nowMs) : -1;
    rows[i] = row;
    if (row >= 0) isClaimed[row] = 1;
    if (shared === null && (row < 0 || !known.isCurrent(row))) open.push(i);
  }
  if (open.length === 0 && numbered.size === 0) return { units, rows, renamed: [] };
  const identified = { units: units.slice(), rows, renamed: [] };
  if (numbered.size > 0) {
    matchNumbered(units, numbered, known, nowMs, (i, row) => {
      isClaimed[row] = 1;
      take(identified, known, i, row, 'same');
    });
  }
  const pool: number[] = [];
  for (let row = 0; row < records.length; row++)
    if (!isClaimed[row] && (records[row]?.history.records.length ?? 0) > 0) pool.push(row);
  if (pool.length === 0) return identified;
  const candidates = findCandidates(units, rows, open, pool, known, nowMs);
  const contested = findContested(candidates);
  for (const [i, { row, match, otherRow }] of candidates)
    if (otherRow < 0 && !contested.has(row)) take(identified, known, i, row, match);
  matchLeft(identified, known, isClaimed, nowMs);
  flagContested(identified, candidates, records);
  return identified;
};
