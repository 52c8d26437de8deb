import type { UnitIdentity } from '@/lib/wire/fleet';

/** What is wrong with a line of a table file. */
export interface TableFault {
  line: number;
  column: string | null;
  message: string;
}

/** A truck as a file may name it. */
export type NamedUnit = Pick<UnitIdentity, 'key' | 'vin' | 'truckNumber'>;

/** The trucks that a file may name: those that report, and the others of the roster. */
export const listUnits = (
  identities: readonly (UnitIdentity | null)[],
  vins: readonly string[],
): NamedUnit[] => {
  const reporting = identities.filter((identity) => identity !== null);
  const known = new Set(reporting.map(({ vin }) => vin));
  const others = vins.filter((vin) => !known.has(vin));
  return [...reporting, ...others.map((vin) => ({ key: vin, vin, truckNumber: null }))];
};
