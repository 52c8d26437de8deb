import type { IngestRequest } from './reports';

/** What a server has acknowledged: how many fixes, and each vehicle's newest (Unix milliseconds, 0: none). */
export interface LedgerTotals {
  acknowledged: number;
  /** Fixes in requests that were not acknowledged; a server may or may not have them. */
  refused: number;
  newestMs: Float64Array;
}

export interface Ledger {
  acknowledge(request: IngestRequest): void;
  refuse(request: IngestRequest): void;
  read(): LedgerTotals;
}

export const createLedger = (units: number): Ledger => {
  const totals: LedgerTotals = { acknowledged: 0, refused: 0, newestMs: new Float64Array(units) };
  return {
    acknowledge({ units: reported, fixAtMs }) {
      totals.acknowledged += reported.length;
      reported.forEach((unit, i) => {
        totals.newestMs[unit] = Math.max(totals.newestMs[unit]!, fixAtMs[i]!);
      });
    },
    refuse({ units: reported }) {
      totals.refused += reported.length;
    },
    read: () => totals,
  };
};
