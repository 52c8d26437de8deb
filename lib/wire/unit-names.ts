import type { UnitIdentity } from './fleet';

/** Names that belong to one vehicle at a time and can be moved to another, the most distinguishing first. */
export const NAME_KINDS = ['deviceId', 'truckNumber', 'plate'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const NAME_LABELS: Readonly<Record<NameKind, string>> = {
  deviceId: 'device',
  truckNumber: 'truck number',
  plate: 'plate',
};

export type Names = Pick<UnitIdentity, 'deviceId' | 'truckNumber' | 'plateState' | 'plateNumber'>;

/** The prefix of a key that is made of a name. */
const KEY_PREFIXES: Readonly<Record<NameKind, string>> = {
  deviceId: 'device:',
  truckNumber: 'truck:',
  plate: 'plate:',
};

/** A name as people write it; null where the provider gives none. */
export const nameOf = (names: Names, kind: NameKind): string | null => {
  if (kind !== 'plate') return names[kind];
  const { plateState, plateNumber } = names;
  return plateNumber === null ? null : [plateState, plateNumber].filter(Boolean).join(' ');
};

/** Whether neither device nor truck number nor plate are known. */
export const isUnnamed = (names: Names): boolean => NAME_KINDS.every((kind) => nameOf(names, kind) === null);

/** A name in comparable form, without case, blanks and dashes. */
export const toPlainName = (name: string): string => name.toUpperCase().replace(/[\s-]/g, '');

/** A name of a kind, to compare with those of other units; null where there is none. */
export const toPlainKey = (names: Names, kind: NameKind): string | null => {
  const name = nameOf(names, kind);
  return name === null ? null : `${kind}:${toPlainName(name)}`;
};

/** The key of a unit that is identified by its name of a kind; null where it has none. */
export const toNameKey = (names: Names, kind: NameKind): string | null => {
  const name = nameOf(names, kind);
  return name === null ? null : KEY_PREFIXES[kind] + name;
};

/** A key for one of several units that share `key` and have no other name. */
export const toNumberedKey = (key: string, number: number): string => `#${number} ${key}`;

/** The base of a numbered key; null for any other. */
export const toSharedKey = (key: string): string | null =>
  key.startsWith('#') ? key.slice(key.indexOf(' ') + 1) : null;

/** Whether a unit's former key is made of one of this unit's names. */
export const isFormerKey = (identity: UnitIdentity, key: string): boolean =>
  identity.vin === key || NAME_KINDS.some((kind) => toNameKey(identity, kind) === key);

/** Whether both have a name of a kind, and it is the same. */
export const haveSameName = (a: Names, b: Names, kind: NameKind): boolean => {
  const [nameA, nameB] = [nameOf(a, kind), nameOf(b, kind)];
  if (nameA === null || nameB === null) return false;
  return nameA === nameB || toPlainName(nameA) === toPlainName(nameB);
};

/** How many names of two units are the same, and how many differ; one that either lacks counts as neither. */
export const compareNames = (a: Names, b: Names): { same: number; different: number } => {
  let [same, different] = [0, 0];
  for (const kind of NAME_KINDS) {
    if (nameOf(a, kind) === null || nameOf(b, kind) === null) continue;
    if (haveSameName(a, b, kind)) same++;
    else different++;
  }
  return { same, different };
};
