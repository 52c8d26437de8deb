import { readMakers, isMakeOf, isModelOf } from './maker';
import { hasValidCheckDigit, parseVin, checkDigit } from './vin';

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
const modelYears = (vin: string, isLight: boolean): number[] => {
  if (parseVin(vin) !== vin) return [];
  const offset = YEAR_CODES.indexOf(vin.charAt(YEAR_POSITION));
  if (offset === -1) return [];
  const years = [FIRST_YEAR + offset, FIRST_YEAR + CYCLE_YEARS + offset];
  if (!isLight) return years;
  return /\d/.test(vin.charAt(CYCLE_POSITION)) ? years.slice(0, 1) : years.slice(1);
};

interface DecodedVin {
  /** Names of the makers that it may come from; none where its identifier is not in our table. */
  makers: string[];
  /** The model years that it may encode, oldest first. */
  years: number[];
}

/** The maker and the model year that a VIN encodes. */
export const decodeVin = (vin: string): DecodedVin => {
  const makers = readMakers(vin);
  const isLight = makers.length > 0 && makers.every((maker) => maker.isLight);
  return { makers: [...new Set(makers.map(({ name }) => name))], years: modelYears(vin, isLight) };
};

/**
 * What a VIN encodes: "1992 or 2022 Freightliner"; null for nothing or a wrong check digit. Years to come are left out.
 */
export const vinVehicleText = (vin: string, nowMs: number): string | null => {
  if (!hasValidCheckDigit(vin)) return null;
  const { makers, years } = decodeVin(vin);
  return [begun(years, nowMs).join(' or '), makers.join(' or ')].filter(Boolean).join(' ') || null;
};

/** The model years that have begun; one goes on sale in the year before it. */
const begun = (years: number[], nowMs: number): number[] =>
  years.filter((year) => year <= new Date(nowMs).getUTCFullYear() + 1);

/**
 * The make and the model year to record for an undescribed vehicle; null where its VIN does not encode them or leaves
 * several makes. Of a heavy truck's two years it is the later one.
 */
export const fillFromVin = (vin: string, nowMs: number): { make: string | null; year: number | null } => {
  if (!hasValidCheckDigit(vin)) return { make: null, year: null };
  const { makers, years } = decodeVin(vin);
  const [make, ...others] = makers;
  return { make: others.length === 0 ? (make ?? null) : null, year: begun(years, nowMs).at(-1) ?? null };
};

export interface VinFinding {
  about: 'form' | 'checkDigit' | 'year' | 'maker';
  /** `unknown`: there is nothing to compare with, or the VIN does not encode it. */
  verdict: 'right' | 'wrong' | 'unknown';
  /** Text for a dispatcher. */
  text: string;
}

export interface StatedVehicle {
  vin: string;
  make: string | null;
  model: string | null;
  year: number | null;
}

const found = (about: VinFinding['about'], verdict: VinFinding['verdict'], text: string): VinFinding => ({
  about,
  verdict,
  text,
});

const judgeForm = (vin: string): VinFinding =>
  found(
    'form',
    'wrong',
    vin.trim().length === 17
      ? 'It is not a VIN: the letters I, O and Q and punctuation are never used.'
      : `It is not a VIN: it has ${vin.trim().length} characters instead of 17.`,
  );

const judgeCheckDigit = (vin: string): VinFinding => {
  const given = vin.charAt(8);
  return hasValidCheckDigit(vin)
    ? found('checkDigit', 'right', `The check digit ${given} is right.`)
    : found('checkDigit', 'wrong', `The check digit is ${given} and should be ${checkDigit(vin)}.`);
};

const judgeYear = (vin: string, year: number | null): VinFinding => {
  const { years } = decodeVin(vin);
  const says = years.join(' or ');
  if (years.length === 0)
    return found('year', 'wrong', `The VIN's tenth character, ${vin.charAt(9)}, stands for no model year.`);
  if (year === null) return found('year', 'unknown', `The VIN says model year ${says}; none is given.`);
  return years.includes(year)
    ? found('year', 'right', `Model year ${year} agrees with the VIN.`)
    : found('year', 'wrong', `Model year ${year} is given; the VIN says ${says}.`);
};

/** A different make alone may be a reseller's; it is wrong where the model or the year contradicts the VIN too. */
const judgeMaker = ({ vin, make, model }: StatedVehicle, isYearWrong: boolean): VinFinding => {
  const says = decodeVin(vin).makers.join(' or ');
  if (says === '')
    return found('maker', 'unknown', `The maker code of the VIN, ${vin.slice(0, 3)}, is not in our table.`);
  if (make === null) return found('maker', 'unknown', `The VIN says ${says}; no make is given.`);
  const fits = isMakeOf(vin, make);
  if (fits === true) return found('maker', 'right', `${make} agrees with the VIN.`);
  if (fits !== null && model !== null && isModelOf(vin, model) === false)
    return found('maker', 'wrong', `${make} ${model} is given; the VIN says ${says}.`);
  const verdict = fits !== null && isYearWrong ? 'wrong' : 'unknown';
  return found('maker', verdict, `${make} is given; the VIN says ${says}.`);
};

/** The VIN's check digit, year and maker compared with the provider's record of the vehicle. */
export const judgeVin = (vehicle: StatedVehicle): VinFinding[] => {
  const vin = parseVin(vehicle.vin);
  if (vin === null) return [judgeForm(vehicle.vin)];
  const year = judgeYear(vin, vehicle.year);
  const maker = judgeMaker({ ...vehicle, vin }, vehicle.year !== null && year.verdict === 'wrong');
  return [judgeCheckDigit(vin), year, maker];
};
