import { readMakers } from './maker';
import { modelYears } from './model-year';

export interface VinSays {
  /** Names of the makers that it may come from; none where its identifier is not in our table. */
  makers: string[];
  /** The model years that it may encode, oldest first. */
  years: number[];
}

/** What a VIN encodes about the maker and the model year. */
export const readVin = (vin: string): VinSays => {
  const makers = readMakers(vin);
  const isLight = makers.length > 0 && makers.every((maker) => maker.isLight);
  return { makers: [...new Set(makers.map(({ name }) => name))], years: modelYears(vin, { isLight }) };
};
