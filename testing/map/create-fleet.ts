import { UNNAMED, UNREAD_FEED, type Column, type Fleet } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';

/** A fleet for tests whose rows have these columns (the rest 0) and the numbers 100, 101 … */
export const createFleet = (rows: Partial<Record<Column, number>>[], version = 'a.1'): Fleet => {
  const columns = createColumns(rows.length);
  rows.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) columns[name as Column][i] = value;
  });
  return {
    usdot: '9000001',
    version,
    rows: rows.length,
    identities: rows.map((_, i) => ({
      ...UNNAMED,
      key: `VIN${i}`,
      vin: `VIN${i}`,
      truckNumber: String(100 + i),
    })),
    columns,
    feed: { ...UNREAD_FEED, fetchedAtMs: 0, activeUnits: rows.length },
    account: null,
  };
};
