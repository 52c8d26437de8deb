import 'server-only';
import {
  NAME_KINDS,
  NAME_LABELS,
  nameOf,
  toNameKey,
  toNumberedKey,
  compareNames,
  toPlainName,
} from '@/lib/wire/unit-names';
import { CLOCK_TOLERANCE_MS, toUtcText } from './time';
import type { SalvageNotes } from './salvage';
import type { TrackedUnit } from '../unit';
import { isOutOfReach } from '@/lib/motion/leg';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { groupBy } from '@/lib/base/maps';

/** The rank of a record of a unit: its fix time; a future fix ranks below every other, no fix lowest. */
const toRank = (unit: TrackedUnit, nowMs: number): number => {
  if (unit.position === null || unit.fixAtMs === null) return -Infinity;
  return unit.fixAtMs > nowMs + CLOCK_TOLERANCE_MS ? -Number.MAX_VALUE : unit.fixAtMs;
};

const toNameText = ({ identity, fixAtMs }: TrackedUnit): string => {
  const name =
    identity.deviceId === null ? `truck ${identity.truckNumber ?? 'unnamed'}` : `device ${identity.deviceId}`;
  return fixAtMs === null ? `${name} without a time` : `${name} at ${toUtcText(fixAtMs)}`;
};

const withFlag = (unit: TrackedUnit, flag: TrackedUnit['flags'][number]): TrackedUnit => ({
  ...unit,
  flags: [...unit.flags, flag],
});

const isByVin = ({ identity }: TrackedUnit): boolean => identity.key === identity.vin;

/** A unit of records that share its VIN, flagged where there are several. */
const withVinTwice = (unit: TrackedUnit, group: Truck, other: TrackedUnit | undefined): TrackedUnit => {
  if (!isByVin(unit) || !other) return unit;
  const seenText = `The provider lists this VIN ${group.length} times.`;
  const text = `The provider lists this VIN ${group.length} times: also as ${toNameText(other)}.`;
  return withFlag(unit, { flag: 'duplicateVin', text, seenText });
};

/** One unit from a truck's records: the newest fix, the first of the answer where two are as new. */
const mergeTruck = (truck: Truck, nowMs: number): { kept: TrackedUnit; others: TrackedUnit[] } => {
  let [kept] = truck as [TrackedUnit];
  const others: TrackedUnit[] = [];
  for (const unit of truck.slice(1)) {
    const isNewer = toRank(unit, nowMs) > toRank(kept, nowMs);
    others.push(isNewer ? kept : unit);
    if (isNewer) kept = unit;
  }
  return { kept, others };
};

interface Merged {
  unit: TrackedUnit;
  others: TrackedUnit[];
  /** How many records of the answer share its key, and what they share. */
  shared: { records: number; kind: string; text: string } | null;
}

/** The kind of a record's identifier, and the identifier as text: "VIN" and "VIN 1FUJ…", "device" and "device 0". */
const describeKey = ({ identity }: TrackedUnit): { kind: string; text: string } => {
  const name = NAME_KINDS.find((each) => toNameKey(identity, each) === identity.key);
  const kind = name ? NAME_LABELS[name] : 'VIN';
  return { kind, text: `${kind} ${name ? nameOf(identity, name) : identity.vin}` };
};

const withKey = ({ unit, others, shared }: Merged, key: string, by: string): Merged => {
  const say = (name: string | undefined, records: number | string): string =>
    `Its ${name} stands in ${records} records of one answer and identifies none of them; ${by}.`;
  const texts = { text: say(shared?.text, shared?.records ?? 0), seenText: say(shared?.kind, 'several') };
  const flagged = withFlag(unit, { flag: 'notIdentified', ...texts });
  return { unit: { ...flagged, identity: { ...flagged.identity, key } }, others, shared };
};

/** Gives each truck with a shared key the key of its first name that no other truck has, else a number. */
const identify = (sharing: readonly Merged[], taken: Set<string>): Merged[] => {
  const identified: Merged[] = [];
  let rest = sharing;
  for (const kind of NAME_KINDS) {
    const next: Merged[] = [];
    for (const [key, group] of groupBy(rest, ({ unit }) => toNameKey(unit.identity, kind))) {
      const [merged] = group;
      if (key === null || group.length > 1 || !merged || taken.has(key)) next.push(...group);
      else {
        taken.add(key);
        const by = `this unit is identified by its ${NAME_LABELS[kind]} ${nameOf(merged.unit.identity, kind)}`;
        identified.push(withKey(merged, key, by));
      }
    }
    rest = next;
  }
  const used = new Map<string, number>();
  for (const merged of rest) {
    const { key } = merged.unit.identity;
    const number = (used.get(key) ?? 0) + 1;
    used.set(key, number);
    const by = 'nothing else distinguishes these units, so they may change places in the list';
    identified.push(withKey(merged, toNumberedKey(key, number), by));
  }
  return identified;
};

/**
 * One unit for each truck of an answer. Records of one truck become that of the newest fix, and `notes` names the
 * others; trucks that share a key stay apart, under a name that no other has, flagged as not identified.
 */
export const mergeDuplicates = (
  units: readonly TrackedUnit[],
  nowMs: number,
  notes: SalvageNotes,
): TrackedUnit[] => {
  const isShared = new Set(units.map(({ identity }) => identity.key)).size < units.length;
  if (!isShared) return [...units];
  const groups = groupBy(units, ({ identity }) => identity.key);
  const sharing: Merged[] = [];
  const alone: Merged[] = [];
  for (const group of groups.values()) {
    const [first] = group as [TrackedUnit];
    const trucks = group.length === 1 ? [group] : partTrucks(group, isByVin(first));
    const shared = trucks.length === 1 ? null : { records: group.length, ...describeKey(first) };
    for (const truck of trucks) {
      const { kept, others } = mergeTruck(truck, nowMs);
      const other = others[0] ?? group.find((unit) => unit !== kept);
      (shared ? sharing : alone).push({ unit: withVinTwice(kept, group, other), others, shared });
    }
  }
  const taken = new Set(alone.map(({ unit }) => unit.identity.key));
  const all = [...alone, ...identify(sharing, taken)];
  for (const { unit, others } of all) {
    for (const other of others) {
      const why = `${toNameText(other)} is another record of it; the newest fix is shown`;
      notes.dropped(`unit ${unit.identity.key}`, why);
    }
  }
  return all.map(({ unit }) => unit);
};

/** Receivers and clocks of two trackers in one truck differ by up to this much; records of one tracker by less. */
const TRACKERS_APART_M = 1000;
const FIXES_APART_M = 100;
/** Above this many combinations of names under one key, records are not compared: each is a truck of its own. */
const MOST_COMPARED = 16;

/** The records of one truck in one answer, in its order. */
export type Truck = readonly TrackedUnit[];

const toSignature = ({ identity }: TrackedUnit): string =>
  NAME_KINDS.map((kind) => toPlainName(nameOf(identity, kind) ?? '')).join('\n');

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

/** Records of the same names: one truck where it may have driven from each fix to the next, else one for each fix. */
const partByFixes = (records: Truck): Truck[] => {
  const placed = records.filter(({ position }) => position !== null);
  placed.sort((a, b) => (a.fixAtMs ?? -Infinity) - (b.fixAtMs ?? -Infinity));
  const isOneDrive = placed.every((unit, i) => i === 0 || !isApart(placed[i - 1]!, unit, FIXES_APART_M));
  if (isOneDrive) return [records];
  const toFix = ({ position, fixAtMs }: TrackedUnit) => `${position?.lat},${position?.lng},${fixAtMs}`;
  return [...groupBy(records, toFix).values()];
};

/** Whether two sets of records of one VIN are of two trucks: every name differs, or some do and they are far apart. */
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
 * The trucks among records of one answer that share a VIN (`isVin`), which two trackers of one may report, or a name. A
 * record that lacks a name joins the truck with its other names, if there is just one.
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
