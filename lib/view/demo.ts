/** USDOT numbers in use have seven digits and begin far below; from here on they are nobody's. */
const FIRST_DEMO_USDOT = 9_000_001;

/** Whether a USDOT number is one that the demo fleet makes up, of which no public record can exist. */
export const isDemoUsdot = (usdot: string): boolean => Number(usdot) >= FIRST_DEMO_USDOT;
