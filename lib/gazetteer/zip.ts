import type { LatLng } from '@/lib/geo/units';
import type { FoundPlace } from './place';

/** The ZIP codes of the United States in ascending order, each column as the differences from one to the next. */
export interface ZipTable {
  zip: number[];
  /** Degrees × 100, which is 0.7 mi. */
  latE2: number[];
  lngE2: number[];
}

/** A rough radius: half of all ZIP codes are smaller. */
const ZIP_RADIUS_M = 5000;
const ZIP = /(?:^|\p{L}[.,]?)\s*(?<!\S)(\d{5})(?:-?\d{4})?\s*$/u;

/** The five digits of the ZIP code that a text is or ends with, also of one with four more; null for another text. */
export const parseZip = (text: string): string | null => ZIP.exec(text)?.[1] ?? null;

const toDifferences = (values: readonly number[]): number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));
const fromDifferences = (differences: readonly number[]): number[] => {
  let value = 0;
  return differences.map((difference) => (value += difference));
};

interface ZipCode extends LatLng {
  zip: string;
}

export const toZipTable = (codes: readonly ZipCode[]): ZipTable => {
  const sorted = [...codes].sort((a, b) => Number(a.zip) - Number(b.zip));
  return {
    zip: toDifferences(sorted.map(({ zip }) => Number(zip))),
    latE2: toDifferences(sorted.map(({ lat }) => Math.round(lat * 100))),
    lngE2: toDifferences(sorted.map(({ lng }) => Math.round(lng * 100))),
  };
};

/** Finds the middle of a ZIP code, named by the code and where it is ("64801, Joplin, MO"). */
export const createZipSearch = (
  table: ZipTable,
  describe: (at: LatLng) => string | null,
): ((text: string) => FoundPlace | null) => {
  const [zips, latE2, lngE2] = [table.zip, table.latE2, table.lngE2].map(fromDifferences);
  const rowOf = new Map(zips!.map((zip, row) => [zip, row]));
  return (text) => {
    const zip = parseZip(text);
    const row = zip === null ? undefined : rowOf.get(Number(zip));
    if (row === undefined) return null;
    const at = { lat: latE2![row]! / 100, lng: lngE2![row]! / 100 };
    const name = [zip, describe(at)].filter((part) => part !== null).join(', ');
    return { ...at, name, radiusM: ZIP_RADIUS_M, isWhole: true };
  };
};
