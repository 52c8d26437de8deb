import { readVin } from '@/lib/identity/read-vin';
import { hasValidCheckDigit } from '@/lib/identity/vin';

/**
 * The vehicle that a VIN encodes, where no other source describes it: "1992 or 2022 Freightliner". Null where
 * it encodes nothing, or its check digit is wrong. Model years that have not begun by `nowMs` are left out.
 */
export const vinVehicleWords = (vin: string, nowMs: number): string | null => {
  if (!hasValidCheckDigit(vin)) return null;
  const { makers, years } = readVin(vin);
  // A model year goes on sale in the year before it.
  const newest = new Date(nowMs).getUTCFullYear() + 1;
  const known = years.filter((year) => year <= newest);
  return [known.join(' or '), makers.join(' or ')].filter(Boolean).join(' ') || null;
};
