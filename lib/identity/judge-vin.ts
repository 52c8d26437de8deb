import { isMakeOf, isModelOf } from './maker';
import { decodeVin } from './decode-vin';
import { checkDigit, hasValidCheckDigit, parseVin } from './vin';

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

const judgeForm = (vin: string): VinFinding => {
  const text =
    vin.trim().length === 17
      ? 'It is not a VIN: the letters I, O and Q and punctuation are never used.'
      : `It is not a VIN: it has ${vin.trim().length} characters instead of 17.`;
  return { about: 'form', verdict: 'wrong', text };
};

const judgeCheckDigit = (vin: string): VinFinding => {
  const found = vin.charAt(8);
  return hasValidCheckDigit(vin)
    ? { about: 'checkDigit', verdict: 'right', text: `The check digit ${found} is right.` }
    : {
        about: 'checkDigit',
        verdict: 'wrong',
        text: `The check digit is ${found} and should be ${checkDigit(vin)}.`,
      };
};

const judgeYear = (vin: string, year: number | null): VinFinding => {
  const { years } = decodeVin(vin);
  const says = years.join(' or ');
  if (years.length === 0) {
    const text = `The VIN's tenth character, ${vin.charAt(9)}, stands for no model year.`;
    return { about: 'year', verdict: 'wrong', text };
  }
  if (year === null)
    return { about: 'year', verdict: 'unknown', text: `The VIN says model year ${says}; none is given.` };
  return years.includes(year)
    ? { about: 'year', verdict: 'right', text: `Model year ${year} agrees with the VIN.` }
    : { about: 'year', verdict: 'wrong', text: `Model year ${year} is given; the VIN says ${says}.` };
};

/**
 * A different make alone may be a reseller's or a typing habit; it is wrong where the model or the year
 * contradicts the VIN too.
 */
const judgeMaker = ({ vin, make, model }: StatedVehicle, isYearWrong: boolean): VinFinding => {
  const says = decodeVin(vin).makers.join(' or ');
  if (says === '') {
    const text = `The maker code of the VIN, ${vin.slice(0, 3)}, is not in our table.`;
    return { about: 'maker', verdict: 'unknown', text };
  }
  if (make === null)
    return { about: 'maker', verdict: 'unknown', text: `The VIN says ${says}; no make is given.` };
  const fits = isMakeOf(vin, make);
  if (fits === true) return { about: 'maker', verdict: 'right', text: `${make} agrees with the VIN.` };
  const text = `${make} is given; the VIN says ${says}.`;
  if (fits === null) return { about: 'maker', verdict: 'unknown', text };
  if (model !== null && isModelOf(vin, model) === false)
    return { about: 'maker', verdict: 'wrong', text: `${make} ${model} is given; the VIN says ${says}.` };
  return { about: 'maker', verdict: isYearWrong ? 'wrong' : 'unknown', text };
};

/** The VIN's check digit, year and maker compared with the provider's record of the vehicle. */
export const judgeVin = (vehicle: StatedVehicle): VinFinding[] => {
  const vin = parseVin(vehicle.vin);
  if (vin === null) return [judgeForm(vehicle.vin)];
  const year = judgeYear(vin, vehicle.year);
  const maker = judgeMaker({ ...vehicle, vin }, vehicle.year !== null && year.verdict === 'wrong');
  return [judgeCheckDigit(vin), year, maker];
};
