import { parseVin } from './vin';

/**
 * 49 CFR 565.15(d)(1), table VII: codes of the tenth character in the order of the years from 1980; the same
 * 30 codes repeat from 2010. I, O, Q, U, Z and 0 are never used.
 */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
const CYCLE_YEARS = YEAR_CODES.length;
const YEAR_POSITION = 9;
const CYCLE_POSITION = 6;

/**
 * The model years that a VIN may encode, oldest first: two, thirty years apart; none where its tenth
 * character is no year code.
 *
 * In light vehicles (cars, and trucks and vans of up to 10,000 lb) the seventh character decides between the
 * two: a digit until 2009, a letter from 2010 on (565.15(d)(1)). In heavier ones it does not.
 */
export const modelYears = (vin: string, { isLight = false }: { isLight?: boolean } = {}): number[] => {
  if (parseVin(vin) !== vin) return [];
  const offset = YEAR_CODES.indexOf(vin.charAt(YEAR_POSITION));
  if (offset === -1) return [];
  const years = [FIRST_YEAR + offset, FIRST_YEAR + CYCLE_YEARS + offset];
  if (!isLight) return years;
  return /\d/.test(vin.charAt(CYCLE_POSITION)) ? years.slice(0, 1) : years.slice(1);
};
