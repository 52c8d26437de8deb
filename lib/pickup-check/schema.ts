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

/** The code of a load's pickup. */
export interface PickupCode {
  /** 7K3M-92QX-4HTD. */
  code: string;
  /** The address of its page; without the origin where the server has no public URL. */
  link: string;
  madeBy: string;
  madeMs: number;
}

/** GET /api/fleets/:usdot/loads/:id/pickup-code */
export interface PickupCodeAnswer {
  /** Null: there is none. */
  code: PickupCode | null;
  /** The load is still to be picked up. */
  isOpen: boolean;
}
