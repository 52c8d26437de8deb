import { describe, expect, it } from 'vitest';
import { createColumns } from '@/lib/wire/live';
import { COLUMNS, UNNAMED, UNREAD_FEED, type Fleet } from '@/lib/wire/fleet';
import { fromParts, toParts } from './fleet-copy';

/** Every seventh row has lost its unit. */
const createFleet = (rows: number): Fleet => {
  const columns = createColumns(rows);
  COLUMNS.forEach((name, c) => columns[name].forEach((_, row) => (columns[name][row] = row * (c + 1) - 50)));
  return {
    usdot: '9000001',
    version: 'e.7',
    rows,
    identities: Array.from({ length: rows }, (_, row) =>
      row % 7 === 3 ? null : { ...UNNAMED, key: `device:${row}`, deviceId: String(row) },
    ),
    columns,
    feed: { ...UNREAD_FEED, fetchedAtMs: 1_700_000_000_000, activeUnits: rows },
    account: { companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' },
  };
};

describe('the copy of a fleet', () => {
  it.each([0, 1, 3, 500, 501, 1700])(
    'is the same fleet after being written and read (%i rows)',
    async (rows) => {
      const fleet = createFleet(rows);
      expect(await fromParts(await toParts(fleet))).toEqual(fleet);
    },
  );

  it('with a part missing is refused', async () => {
    const parts = await toParts(createFleet(1700));
    await expect(fromParts(parts.toSpliced(1, 1))).rejects.toThrow(RangeError);
    await expect(fromParts([])).rejects.toThrow(RangeError);
  });
});
