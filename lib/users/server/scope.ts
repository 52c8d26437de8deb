import 'server-only';

/** USDOT numbers, null for all. */
export type Usdots = readonly string[] | null;

/**
 * Whether the scope `own` includes all of `others`, which limits the rights that a manager may give and the users that
 * one may change.
 */
export const reaches = (own: Usdots, others: Usdots): boolean =>
  own === null || (others !== null && others.every((usdot) => own.includes(usdot)));
