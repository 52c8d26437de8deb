/** The server's data source: a provider's tracking API, or the embedded service with its demo fleet. */
export type FleetSource = 'provider' | 'embedded';

/** USDOT numbers in use have seven digits and are far lower; the demo fleet's begin here. */
const FIRST_DEMO_USDOT = 9_000_001;

/** Whether a USDOT number belongs to the demo fleet; a provider's numbers are always real. */
export const isDemoUsdot = (usdot: string, source: FleetSource): boolean =>
  source === 'embedded' && Number(usdot) >= FIRST_DEMO_USDOT;
