import 'server-only';
import { isOutOfReach } from '@/lib/motion/leg';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { NAME_KINDS, compareNames, nameOf, toPlainName } from '@/lib/wire/unit-names';
import type { TrackedUnit } from '../unit';

/**
 * Receivers and clocks of two trackers in one truck differ by up to this much; records of one tracker by
 * less.
 */
const TRACKERS_APART_M = 1000;
const FIXES_APART_M = 100;
/**
 * Above this many combinations of names under one key, records are not compared: each is a truck of its own.
 */
const MOST_COMPARED = 16;

/** The records of one truck in one answer, in its order. */
export type Truck = readonly TrackedUnit[];

const toSignature = ({ identity }: TrackedUnit): string =>
  NAME_KINDS.map((kind) => toPlainName(nameOf(identity, kind) ?? '')).join('\n');

/** Groups of items with the same key, in the order of their first members. */
export const groupBy = <T, K>(items: readonly T[], toKey: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** Records without two times are compared as if they were of one moment. */
const isApart = (a: TrackedUnit, b: TrackedUnit, slackM: number): boolean => {
  if (a.position === null || b.position === null) return false;
  const spanMs = a.fixAtMs === null || b.fixAtMs === null ? 0 : b.fixAtMs - a.fixAtMs;
  return isOutOfReach(a.position, b.position, spanMs, slackM, DEFAULT_MOTION_SETTINGS);
};

const toNewest = (truck: Truck): TrackedUnit =>
  truck.reduce((newest, unit) =>
    (unit.fixAtMs ?? -Infinity) > (newest.fixAtMs ?? -Infinity) ? unit : newest,
  );

/**
 * Records of the same names: one truck where it may have driven from each fix to the next, else one for each
 * fix.
 */
const partByFixes = (records: Truck): Truck[] => {
  const placed = records.filter(({ position }) => position !== null);
  placed.sort((a, b) => (a.fixAtMs ?? -Infinity) - (b.fixAtMs ?? -Infinity));
  const isOneDrive = placed.every((unit, i) => i === 0 || !isApart(placed[i - 1]!, unit, FIXES_APART_M));
  if (isOneDrive) return [records];
  const toFix = ({ position, fixAtMs }: TrackedUnit) => `${position?.lat},${position?.lng},${fixAtMs}`;
  return [...groupBy(records, toFix).values()];
};

/**
 * Whether two sets of records under one VIN are of two trucks: every name differs, or some do and they are
 * too far apart.
 */
const areTwoOfVin = (a: Truck, b: Truck): boolean => {
  const [newestA, newestB] = [toNewest(a), toNewest(b)];
  const { same, different } = compareNames(newestA.identity, newestB.identity);
  if (different === 0) return false;
  return (same === 0 && different > 1) || isApart(newestA, newestB, TRACKERS_APART_M);
};

const areTwoOfName = (a: Truck, b: Truck): boolean => {
  const [newestA, newestB] = [toNewest(a), toNewest(b)];
  const { different } = compareNames(newestA.identity, newestB.identity);
  return different > 0 || isApart(newestA, newestB, FIXES_APART_M);
};

/**
 * The trucks among the records of one answer that share a key: a VIN (`isVin`), which two trackers of one
 * truck may both report, or a name. A record that lacks a name joins the truck that has its other names, if
 * there is just one.
 */
export const partTrucks = (records: Truck, isVin: boolean): Truck[] => {
  const parts = [...groupBy(records, toSignature)].flatMap(([signature, group]) =>
    (isVin ? [group] : partByFixes(group)).map((truck) => ({ signature, truck })),
  );
  if (parts.length === 1 || parts.length > MOST_COMPARED) return parts.map(({ truck }) => truck);
  const toNames = ({ signature }: { signature: string }) => signature.split('\n').filter(Boolean).length;
  // The most complete first, in an order that does not depend on the answer's.
  parts.sort((a, b) => toNames(b) - toNames(a) || (a.signature < b.signature ? -1 : 1));
  const areTwo = isVin ? areTwoOfVin : areTwoOfName;
  const trucks: { signature: string; truck: Truck }[] = [];
  for (const part of parts) {
    const fitting = trucks.filter(
      (one) => one.signature !== part.signature && !areTwo(one.truck, part.truck),
    );
    if (fitting.length === 1) fitting[0]!.truck = [...fitting[0]!.truck, ...part.truck];
    else trucks.push({ ...part });
  }
  return trucks.map(({ truck }) => truck);
};
