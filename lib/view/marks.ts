import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';
import { NAME_KINDS, toNameKey } from '@/lib/wire/unit-names';
import { getOrMake } from '@/lib/base/maps';
import type { UnitLoad } from './load-verdicts';

/** A note that a person wrote on a unit; Unix ms, `expiresMs` null: it stays until it is removed. */
export interface UnitNote {
  id: number;
  /** Key of the unit. */
  unit: string;
  text: string;
  author: string;
  createdMs: number;
  expiresMs: number | null;
}

/** A group of units by its tag. */
export interface UnitTag {
  tag: string;
  /** Keys of units. */
  units: readonly string[];
}

/** The people to call about a unit. An empty text: not given; phone numbers as `parsePhone` returns them. */
export interface UnitContact {
  /** Key of the unit. */
  unit: string;
  driver: string;
  driverPhone: string;
  secondDriver: string;
  secondDriverPhone: string;
  dispatcher: string;
  dispatcherPhone: string;
  /** What else is to be known before a call: "sleeps until 2 PM". */
  text: string;
}

/** The notes of a unit, newest first, its tags, in their order, whom to call, and its loads, the most urgent first. */
export interface UnitMarks {
  notes: readonly UnitNote[];
  tags: readonly string[];
  contact: UnitContact | null;
  loads: readonly UnitLoad[];
}

/** The notes, tags, contacts and loads of a fleet. */
export interface FleetMarks {
  /** The marks of a unit, also under a key that it had before; the same object for the same marks. */
  of: (identity: UnitIdentity) => UnitMarks | null;
}

interface MarkedIdentity extends UnitIdentity {
  marks: UnitMarks;
}

interface OwnMarks extends UnitMarks {
  notes: UnitNote[];
  tags: string[];
  loads: UnitLoad[];
}

const NO_MARKS: UnitMarks = { notes: [], tags: [], contact: null, loads: [] };

/** The marks in an identity of a fleet `withMarks`. */
export const marksOf = (identity: UnitIdentity): UnitMarks =>
  (identity as Partial<MarkedIdentity>).marks ?? NO_MARKS;

const merge = (a: UnitMarks | undefined, b: UnitMarks | undefined): UnitMarks | undefined =>
  a === undefined || b === undefined
    ? (a ?? b)
    : {
        notes: [...a.notes, ...b.notes],
        tags: [...new Set([...a.tags, ...b.tags])].sort(),
        contact: a.contact ?? b.contact,
        loads: [...a.loads, ...b.loads],
      };

/** Every key under which marks of a unit may be stored. */
export const keysOf = (identity: UnitIdentity): string[] => {
  const names = NAME_KINDS.map((kind) => toNameKey(identity, kind));
  return [...new Set([identity.key, identity.vin, ...names])].filter((key) => key !== null);
};

/** An index of notes, tags, contacts and loads by the key of their unit. */
export const createMarks = (
  notes: readonly UnitNote[],
  tags: readonly UnitTag[],
  contacts: readonly UnitContact[] = [],
  loads: readonly UnitLoad[] = [],
): FleetMarks => {
  const byKey = new Map<string, OwnMarks>();
  const ofKey = (key: string) =>
    getOrMake(byKey, key, () => ({ notes: [], tags: [], contact: null, loads: [] }));
  const sorted = tags.toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
  for (const note of notes) ofKey(note.unit).notes.push(note);
  for (const { tag, units } of sorted) for (const unit of units) ofKey(unit).tags.push(tag);
  for (const contact of contacts) ofKey(contact.unit).contact = contact;
  for (const load of loads) ofKey(load.unit).loads.push(load);
  // A key that is no VIN is made of a name, which the unit keeps when its VIN becomes known.
  const hasNameKeys = [...byKey.keys()].some((key) => key.includes(':'));
  const find = (identity: UnitIdentity): UnitMarks | undefined => {
    if (!hasNameKeys && identity.key === identity.vin) return byKey.get(identity.key);
    return keysOf(identity)
      .map((key): UnitMarks | undefined => byKey.get(key))
      .reduce(merge, undefined);
  };
  return { of: (identity) => find(identity) ?? null };
};

const toSignature = ({ notes, tags, contact, loads }: UnitMarks): string =>
  [
    ...notes.map(({ id }) => id),
    ...tags,
    ...Object.values(contact ?? {}),
    ...loads.flatMap((load) => Object.values(load)),
  ].join('\n');

/** The newest marked form of an identity: the same object again for as long as its marks are equal. */
const markedForms = new WeakMap<UnitIdentity, MarkedIdentity>();

const toMarked = (identity: UnitIdentity, marks: UnitMarks): UnitIdentity => {
  const known = markedForms.get(identity);
  if (known !== undefined && toSignature(known.marks) === toSignature(marks)) return known;
  const marked = { ...identity, marks };
  markedForms.set(identity, marked);
  return marked;
};

const markedLists = new WeakMap<Fleet['identities'], { marks: FleetMarks; list: Fleet['identities'] }>();

/**
 * The fleet with its units' marks in their identities; what is cached for an identity is made again if its marks
 * change.
 */
export const withMarks = (fleet: Fleet, marks: FleetMarks): Fleet => {
  const known = markedLists.get(fleet.identities);
  if (known?.marks === marks) return { ...fleet, identities: known.list };
  const list = fleet.identities.map((identity) => {
    const own = identity && marks.of(identity);
    return own === null ? identity : toMarked(identity!, own);
  });
  markedLists.set(fleet.identities, { marks, list });
  return { ...fleet, identities: list };
};
