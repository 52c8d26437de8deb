import { parseVin } from './vin';
import makeNames from './make-names.json';
import vinMakers from './vin-makers.json';
import { addTo } from '@/lib/base/maps';

interface Maker {
  name: string;
  /** Whether the seventh character of the VIN gives the cycle of its model year: up to 10,000 lb. */
  isLight: boolean;
}

/** World manufacturer identifiers by make, as published by NHTSA; vin-makers.json gives its source and date. */
const MAKES: Readonly<Record<string, string>> = vinMakers.wmis;
const LIGHT = new Set(vinMakers.light.split(' '));
/** Identifiers of chassis that another maker completes and may name: buses, motor homes, ambulances. */
const CHASSIS = new Set(vinMakers.chassis.split(' '));

/**
 * Makes that are sold, badged or built for one another, so that one of them on a VIN of another is no
 * contradiction. The family's own names are what registries write for any of its makes.
 */
const FAMILIES: readonly { names: readonly string[]; makes: readonly string[] }[] = makeNames.families;

/** Other spellings of a make: codes of the National Crime Information Center and short forms. */
const ALIASES: Readonly<Record<string, readonly string[]>> = makeNames.aliases;

const toPlain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Words of a company besides its name. */
const COMPANY =
  /\b(?:the|and|of|inc|llc|ltd|limited|co|corp|corporation|company|mfg|mfr|manufacturing|manufacturer|industries|trailers?|truck|usa)\b/g;
const toCompany = (name: string): string => toPlain(name.toLowerCase().replace(COMPANY, '')) || toPlain(name);

const MAKES_BY_WMI = new Map<string, string[]>();
for (const [make, wmis] of Object.entries(MAKES))
  for (const wmi of wmis.split(' ')) addTo(MAKES_BY_WMI, wmi, make);

/** Makes and the names of their families by each spelling. */
const MAKES_BY_NAME = new Map<string, Set<string>>();
const addName = (name: string, makes: readonly string[]): void => {
  const plain = toPlain(name);
  MAKES_BY_NAME.set(plain, new Set([...(MAKES_BY_NAME.get(plain) ?? []), ...makes]));
};
for (const make of Object.keys(MAKES)) addName(make, [make]);
for (const [make, names] of Object.entries(ALIASES)) for (const name of names) addName(name, [make]);
for (const { names, makes } of FAMILIES) for (const name of names) addName(name, makes);

/** The makes of trucks and buses whose models the table has. */
const TRUCK_MAKES: Readonly<Record<string, string>> = vinMakers.models;
const MAKES_BY_MODEL = new Map<string, string[]>();
for (const [make, models] of Object.entries(TRUCK_MAKES))
  for (const model of models.split(' ').map(toPlain)) addTo(MAKES_BY_MODEL, model, make);

/** The world manufacturer identifier of a VIN: its first three characters (49 CFR 565.15(a)). */
const wmi = (vin: string): string => vin.slice(0, 3);

/** Small makers and those of trailers by identifier, and their names, once they are added. */
const moreMakers = new Map<string, readonly string[]>();
const moreNames = new Set<string>();

/** Adds makers by their identifiers, of three or six characters, to those that this module knows. */
export const addMakers = (makers: Readonly<Record<string, string>>): void => {
  for (const [id, names] of Object.entries(makers)) {
    if (MAKES_BY_WMI.has(id)) continue;
    const list = names.split('|');
    moreMakers.set(id, list);
    for (const name of list) moreNames.add(toCompany(name));
  }
};

/** The identifier of a maker of fewer than 1,000 vehicles a year has a 9 and characters 12 to 14 (565.15(a), (d)(3)). */
const toMoreId = (vin: string): string => (vin.charAt(2) === '9' ? wmi(vin) + vin.slice(11, 14) : wmi(vin));

const readMoreMakers = (vin: string): readonly string[] => moreMakers.get(toMoreId(vin)) ?? [];

/** Whether two spellings are of one company: "UTIL", "Utility" and "UTILITY TRAILER MFG CO". */
const areOneCompany = (a: string, b: string): boolean => {
  const [shorter, longer] = [toCompany(a), toCompany(b)].sort((x, y) => x.length - y.length) as [
    string,
    string,
  ];
  return shorter === longer || (shorter.length >= 4 && longer.startsWith(shorter));
};

/** The makes that a VIN's identifier was assigned to, of several those of trucks; none where the table lacks it. */
export const readMakers = (vin: string): Maker[] => {
  if (parseVin(vin) !== vin) return [];
  const makes = MAKES_BY_WMI.get(wmi(vin)) ?? [];
  if (makes.length === 0) return readMoreMakers(vin).map((name) => ({ name, isLight: false }));
  const trucks = makes.filter((make) => make in TRUCK_MAKES);
  return (trucks.length > 0 ? trucks : makes).map((name) => ({ name, isLight: LIGHT.has(wmi(vin)) }));
};

/** The makes that a text names: the longest known name that equals it or, from five letters on, begins it. */
const findMakes = (text: string): ReadonlySet<string> | null => {
  const plain = toPlain(text);
  for (let length = plain.length; length > 0; length--) {
    const makes =
      length > 4 || length === plain.length ? MAKES_BY_NAME.get(plain.slice(0, length)) : undefined;
    if (makes !== undefined) return makes;
  }
  return null;
};

const isRelated = (make: string, others: readonly string[]): boolean =>
  others.includes(make) ||
  FAMILIES.some(({ makes }) => makes.includes(make) && others.some((other) => makes.includes(other)));

/** Whether any of these makes may appear on a VIN of this identifier; null where the table cannot decide it. */
const mayStandOn = (vin: string, makes: Iterable<string>): boolean | null => {
  const assigned = MAKES_BY_WMI.get(wmi(vin));
  if (assigned === undefined) return null;
  let isBuiltOn = false;
  for (const make of makes) {
    if (isRelated(make, assigned)) return true;
    if (CHASSIS.has(wmi(vin)) && !(make in TRUCK_MAKES)) isBuiltOn = true;
  }
  return isBuiltOn ? null : false;
};

/** Whether a make as written by a person or a registry fits a VIN; null where the table does not know the VIN or the make. */
export const isMakeOf = (vin: string, make: string): boolean | null => {
  const more = readMoreMakers(vin);
  const assigned = MAKES_BY_WMI.get(wmi(vin)) ?? more;
  if (assigned.some((each) => areOneCompany(make, each))) return true;
  const makes = findMakes(make);
  // Short names are of several companies.
  const company = toCompany(make);
  if (more.length > 0) return company.length > 3 && (makes !== null || moreNames.has(company)) ? false : null;
  return makes === null ? null : mayStandOn(vin, makes);
};

/** Whether a model ("Cascadia 126", "VNL760", "T680") fits a VIN's maker; null where the table does not know either. */
export const isModelOf = (vin: string, model: string): boolean | null => {
  const words = model.split(/\s+/);
  const plain = [words.join(' '), words.slice(0, 2).join(' '), words[0] ?? ''].map(toPlain);
  const candidates = [...plain, ...plain.map((word) => word.replace(/^([a-z]{3,})\d+.*$/, '$1'))];
  const makes = candidates.map((word) => MAKES_BY_MODEL.get(word)).find((known) => known !== undefined);
  return makes === undefined ? null : mayStandOn(vin, makes);
};
