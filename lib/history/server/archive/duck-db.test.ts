import { afterAll, expect, it } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { DuckDb, NO_UNITS } from './duck-db';

const folder = createScratchFolder('linehaul-duckdb-');
const duck = new DuckDb({ folder, memoryMb: 256 });
afterAll(async () => {
  await duck.close();
  await removeScratchFolder(folder);
});

/** More rows than one thread aggregates, each of which names itself. */
const ROWS = 300_000;
const OF_ROWS = `SELECT 'a unit with the number ' || i AS unit, i::INTEGER AS at, (-i)::INTEGER AS lat
  FROM (SELECT (i * 7) % ${ROWS} AS i, count(*) FROM range(${ROWS}) t(i) GROUP BY 1)`;

it.each(['readUnits', 'readUnitLists'] as const)(
  '%s has the integers of each unit beside it',
  async (read) => {
    const { units, values } = await duck[read](OF_ROWS);
    expect(new Set(units).size).toBe(ROWS);
    expect(values).toHaveLength(2 * ROWS);
    const wrong = units.filter((unit, i) => {
      const number = Number(unit.slice('a unit with the number '.length));
      return values[2 * i] !== number || values[2 * i + 1] !== -number;
    });
    expect(wrong).toEqual([]);
    expect(await duck[read](`${OF_ROWS} WHERE i < 0`)).toEqual(NO_UNITS);
  },
);
