import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { DuckDb, quote } from './duck-db';
import { NO_UNITS } from '@/lib/fleet/recorded-units';

const folder = createScratchFolder('linehaul-duckdb-');
const duck = new DuckDb({ folder, memoryMb: 256 });
afterAll(async () => {
  await duck.close();
  await removeScratchFolder(folder);
});

/** More rows than one thread aggregates, each of which names itself. */
const ROWS = 150_000;
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

it('reaches no file outside its folder, no other database and no extension, and keeps its configuration', async () => {
  const [secret, beside] = [join(folder, '..', 'linehaul-secret.csv'), `${folder}-beside`];
  const refused = [
    `SELECT * FROM read_csv('/etc/passwd')`,
    `SELECT * FROM read_text('/etc/hostname')`,
    `SELECT * FROM read_text(${quote(join(folder, '..', '..', 'etc', 'hostname'))})`,
    `SELECT * FROM read_text(${quote(`${beside}/a.csv`)})`,
    `SELECT * FROM glob('/etc/*')`,
    `SELECT * FROM '/etc/passwd.csv'`,
    `COPY (SELECT 1) TO ${quote(secret)}`,
    `COPY (SELECT 1) TO ${quote(`${beside}/a.parquet`)} (FORMAT parquet)`,
    `EXPORT DATABASE ${quote(beside)}`,
    `ATTACH ${quote(`${beside}/a.db`)}`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `SELECT * FROM read_parquet('https://127.0.0.1:1/a.parquet')`,
    `SET enable_external_access = true`,
    `SET allowed_directories = ['/']`,
    `SET temp_directory = '/tmp'`,
    `RESET lock_configuration`,
    `SET lock_configuration = false`,
  ];
  for (const sql of refused)
    await expect(duck.readRows(sql), sql).rejects.toThrow(/Permission|Cannot|locked|disabled/i);
  writeFileSync(join(folder, 'own.csv'), '1\n');
  expect(await duck.readRows(`SELECT * FROM read_csv(${quote(join(folder, 'own.csv'))})`)).toEqual([[1n]]);
});

it('reads and writes in a folder with any name, also what does not fit into memory', async () => {
  const own = join(folder, "it's, 100%");
  mkdirSync(own);
  const name = `${relative(process.cwd(), own)}/`;
  const small = new DuckDb({ folder: name, memoryMb: 64 });
  const path = join(name, 'a.parquet');
  await small.readRows(
    `COPY (SELECT md5(i::VARCHAR) AS text FROM range(1500000) t(i) ORDER BY text) TO ${quote(path)} (FORMAT parquet)`,
  );
  expect(await small.readRows(`SELECT count(*)::INTEGER FROM read_parquet(${quote(path)})`)).toEqual([
    [1_500_000],
  ]);
  await small.close();
});
