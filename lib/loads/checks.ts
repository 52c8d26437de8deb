/**
 * What a check says.
 *
 * - `near`: the truck of the load was seen near its pickup, lately
 * - `away`: it was seen elsewhere
 * - `silent`: it has no position of late that can be trusted
 * - `other`: another truck than that of the load
 * - `noTruck`: the load has no truck
 */
export const CHECK_RESULTS = ['near', 'away', 'silent', 'other', 'noTruck'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];
