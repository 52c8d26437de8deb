import type { IngestRequest } from './reports';

/** What a server promised to have: how many fixes, and each vehicle's newest (Unix milliseconds, 0: none). */
export interface Promised {
  acknowledged: number;
  /** Fixes in requests that were not acknowledged; a server may or may not have them. */
  refused: number;
  newestMs: Float64Array;
}

export interface Ledger {
  acknowledge(request: IngestRequest): void;
  refuse(request: IngestRequest): void;
  read(): Promised;
}

export const createLedger = (units: number): Ledger => {
  const promised: Promised = { acknowledged: 0, refused: 0, newestMs: new Float64Array(units) };
  return {
    acknowledge({ units: reported, fixAtMs }) {
      promised.acknowledged += reported.length;
      reported.forEach((unit, i) => {
        promised.newestMs[unit] = Math.max(promised.newestMs[unit]!, fixAtMs[i]!);
      });
    },
    refuse({ units: reported }) {
      promised.refused += reported.length;
    },
    read: () => promised,
  };
};
