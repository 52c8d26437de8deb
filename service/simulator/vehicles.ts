import { checkDigit } from '@/lib/identity/vin';
import type { VehicleInput } from '../store/inputs';
import models from './models.json' with { type: 'json' };
import plates from './plates.json' with { type: 'json' };
import { createRandom, type Random } from './random';

export const DEMO_CARRIER = {
  // USDOT numbers are assigned in sequence, about 4,400,000 by now, so that this one cannot be a real carrier's.
  usdot: '9000001',
  companyName: 'Prairie Star Freight',
  companyId: 'PSF-9000001',
  mcNumber: 'MC-990001',
} as const;

/** The owner of the leased trucks. */
const LESSOR = { usdot: '9000002', mcNumber: 'MC-990002' } as const;

/**
 * `prefix` is the first eight characters of its VINs: maker, series, body, engine; `plant` is the eleventh. `weight` is how
 * common it is.
 */
type Model = (typeof models)[number];

/** 49 CFR 565.15(c), table VII: the tenth character of a VIN, by model year. */
const FIRST_YEAR = 2017;
const YEAR_CHARACTERS = 'HJKLMNPRST';
const YEAR_WEIGHTS = [1, 2, 4, 6, 8, 10, 11, 9, 6, 3];

/** A pattern of plates has A for a letter, 9 for a digit. */
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

const fillPattern = (pattern: string, random: Random): string =>
  pattern.replace(/[A9]/g, (kind) =>
    kind === '9' ? String(random.integer(0, 9)) : random.pick([...LETTERS]),
  );

/** A VIN of a model and year whose serial number is `serial`, with its right check digit. */
const createVin = (model: Model, year: number, serial: number): string => {
  const tail = `${YEAR_CHARACTERS.charAt(year - FIRST_YEAR)}${model.plant}${'ABCDEFGHJK'.charAt(Math.floor(serial / 100_000) % 10)}${'PRSTUVWXYZ'.charAt(Math.floor(serial / 10_000) % 10)}${String(serial % 10_000).padStart(4, '0')}`;
  return `${model.prefix}${checkDigit(`${model.prefix}0${tail}`)}${tail}`;
};

/** A VIN that differs from a valid one only in its check digit. */
const spoilCheckDigit = (vin: string): string => {
  const right = vin.charAt(8);
  return `${vin.slice(0, 8)}${right === '4' ? '7' : '4'}${vin.slice(9)}`;
};

const FIRST_TRUCK_NUMBER = 101;

/** The truck number of a unit of the demo fleet: three digits, more in a large fleet. */
export const toTruckNumber = (unit: number): string => String(FIRST_TRUCK_NUMBER + unit);

/** Unit number `unit` of the fleet of a seed, as the store takes it. */
export const createVehicle = (
  seed: number,
  unit: number,
  special: { hasBadVin: boolean; isLeased: boolean; hasWrongYear: boolean },
): Required<VehicleInput> => {
  const random = createRandom(seed, unit, 1);
  const model = models[random.weighted(models.map(({ weight }) => weight))]!;
  const year = FIRST_YEAR + random.weighted(YEAR_WEIGHTS);
  const { state: plateState, pattern } = plates[random.weighted(plates.map(({ weight }) => weight))]!;
  const vin = createVin(model, year, 4200 + unit * 7);
  return {
    usdot: DEMO_CARRIER.usdot,
    vin: special.hasBadVin ? spoilCheckDigit(vin) : vin,
    truckNumber: toTruckNumber(unit),
    deviceId: `PT30-${toTruckNumber(unit).padStart(4, '0')}`,
    plateState,
    plateNumber: fillPattern(pattern, random),
    assetType: model.assetType,
    make: model.make,
    model: model.model,
    // A VIN encodes two model years, thirty years apart; the year before is neither.
    year: special.hasWrongYear ? year - 1 : year,
    fuelType: model.fuelType,
    registeredUsdot: special.isLeased ? LESSOR.usdot : null,
    registeredMcNumber: special.isLeased ? LESSOR.mcNumber : null,
  };
};
