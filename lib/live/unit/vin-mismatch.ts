import 'server-only';
import { judgeVin } from '@/lib/identity/judge-vin';
import type { StatedVehicle } from '@/lib/identity/judge-vin';
import { parseVin } from '@/lib/identity/vin';
import type { UnitIdentity } from '@/lib/wire/fleet';

/** A cache of verdicts: a fleet has few models, so that each is judged once. */
const judged = new Map<string, string | null>();
const MAX_JUDGED = 2000;

const judge = (vehicle: StatedVehicle): string | null => {
  const { year } = vehicle;
  const wrong = judgeVin(vehicle).filter(
    ({ about, verdict }) => verdict === 'wrong' && ((about === 'year' && year !== null) || about === 'maker'),
  );
  return wrong.length === 0 ? null : wrong.map(({ words }) => words).join(' ');
};

/**
 * How a VIN contradicts the model year, the make and the model that are given; null where it agrees, or
 * encodes too little. A maker or a make that is not in the table is no contradiction, nor is a make alone.
 */
export const toMismatchWords = ({ vin, make, model, year }: UnitIdentity): string | null => {
  if (vin === null || (make === null && year === null) || parseVin(vin) !== vin) return null;
  // The part that the year and the maker are read from: the maker's identifier, and the characters of the
  // year.
  const key = `${vin.slice(0, 3)}${vin.charAt(6)}${vin.charAt(9)}|${year}|${make}|${model}`;
  const known = judged.get(key);
  if (known !== undefined) return known;
  if (judged.size >= MAX_JUDGED) judged.clear();
  const words = judge({ vin, make, model, year });
  judged.set(key, words);
  return words;
};
