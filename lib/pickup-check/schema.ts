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
