/** What the server reads: a provider's tracking API, or the service inside it with its demo fleet. */
export type FleetSource = 'provider' | 'embedded';

/** USDOT numbers in use have seven digits and begin far below; the demo fleet's begin here. */
const FIRST_DEMO_USDOT = 9_000_001;

/** Whether a USDOT number is one that the demo fleet makes up; a provider's numbers are taken at its word. */
export const isDemoUsdot = (usdot: string, source: FleetSource): boolean =>
  source === 'embedded' && Number(usdot) >= FIRST_DEMO_USDOT;
