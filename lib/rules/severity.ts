/* Without zod: every page of a fleet loads it with its list of alerts. */

/** The severities in ascending order. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];
