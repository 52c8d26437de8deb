import type { CarrierAccount } from '@/lib/wire/fleet';

export interface CarrierWords {
  /** The carrier's name where the fleet is its own, else the fleet's number. */
  name: string;
  /** Its numbers, or the account that the fleet is read with; empty while that is not known. */
  numbers: string;
}

/** The carrier of a fleet, according to the account that it is read with. */
export const carrierWords = (usdot: string, account: CarrierAccount | null): CarrierWords => {
  if (account === null) return { name: `USDOT ${usdot}`, numbers: '' };
  return account.usdot === usdot
    ? { name: account.companyName, numbers: `USDOT ${usdot} · ID ${account.companyId}` }
    : { name: `USDOT ${usdot}`, numbers: `seen with the key of ${account.companyName}` };
};
