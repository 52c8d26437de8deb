import type { CarrierAccount } from '@/lib/wire/fleet';

interface CarrierText {
  /** The carrier's name where the fleet is its own, else the fleet's number. */
  name: string;
  /** Its numbers, or the account that the fleet is read with; empty while that is not known. */
  numbers: string;
}

/** The carrier of a fleet, according to the account that it is read with. */
export const carrierText = (usdot: string, account: CarrierAccount | null): CarrierText => {
  if (account === null) return { name: `USDOT ${usdot}`, numbers: '' };
  return account.usdot === usdot
    ? {
        name: account.companyName,
        // Own trucks have no provider's id: it is the number.
        numbers: `USDOT ${usdot}${account.companyId === usdot ? '' : ` · ID ${account.companyId}`}`,
      }
    : { name: `USDOT ${usdot}`, numbers: `seen with the key of ${account.companyName}` };
};
