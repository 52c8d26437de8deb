/** USDOT numbers in use have seven digits and are far lower; the demo fleet's begin here. */
const FIRST_DEMO_USDOT = 9_000_001;

/** Whether a USDOT number is made up, on a server that shows the demo; elsewhere every number is real. */
export const isDemoUsdot = (usdot: string, isDemo: boolean): boolean =>
  isDemo && Number(usdot) >= FIRST_DEMO_USDOT;

/**
 * USDOT numbers are assigned in sequence and written without leading zeros (49 CFR 390.200 ff.; form
 * MCSA-1). Those in use have up to seven digits; eight leave room for growth.
 */
const USDOT_PATTERN = /^0*([1-9]\d{0,7})$/;

/** Docket numbers carry the kind of authority as a prefix: MC (motor carrier), MX (Mexico), FF (freight forwarder). */
const DOCKET_PATTERN = /^(?:(MC|MX|FF)[\s#-]*)?0*([1-9]\d{0,7})$/i;

/** A USDOT number as its digits without leading zeros, so that one carrier has one name; null where it is none. */
export const parseUsdot = (text: string): string | null => USDOT_PATTERN.exec(text.trim())?.[1] ?? null;

/** "MC-990001", "mc 990001" and "990001" as "MC-990001"; null where the text is not a docket number. */
export const parseMcNumber = (text: string): string | null => {
  const match = DOCKET_PATTERN.exec(text.trim());
  return match ? `${(match[1] ?? 'MC').toUpperCase()}-${match[2]}` : null;
};

/** The public Company Snapshot of a carrier in FMCSA's SAFER system; null for what is not a USDOT number. */
export const toSaferUrl = (usdot: string): string | null => {
  const number = parseUsdot(usdot);
  if (number === null) return null;
  const query = new URLSearchParams({
    searchtype: 'ANY',
    query_type: 'queryCarrierSnapshot',
    query_param: 'USDOT',
    query_string: number,
  });
  return `https://safer.fmcsa.dot.gov/query.asp?${query}`;
};
