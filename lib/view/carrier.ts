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
    ? { name: account.companyName, numbers: `USDOT ${usdot} · ID ${account.companyId}` }
    : { name: `USDOT ${usdot}`, numbers: `seen with the key of ${account.companyName}` };
};

/** The server's data source: a provider's tracking API, or the embedded service with its demo fleet. */
export type FleetSource = 'provider' | 'embedded';

/** USDOT numbers in use have seven digits and are far lower; the demo fleet's begin here. */
const FIRST_DEMO_USDOT = 9_000_001;

/** Whether a USDOT number belongs to the demo fleet; a provider's numbers are always real. */
export const isDemoUsdot = (usdot: string, source: FleetSource): boolean =>
  source === 'embedded' && Number(usdot) >= FIRST_DEMO_USDOT;
