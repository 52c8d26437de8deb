import 'server-only';

/** USDOT numbers, null for all. */
export type Usdots = readonly string[] | null;

/** Whether somebody who sees `own` sees all of `others`: so far reaches what a manager may give, and whom one may change. */
export const reaches = (own: Usdots, others: Usdots): boolean =>
  own === null || (others !== null && others.every((usdot) => own.includes(usdot)));
