import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesOf, openPool, setUpRecording } from '@/testing/history/recording';
import { toPartition } from '@/lib/recording/partitions';
import { DuckDb } from './duck-db';
import { copyToFile, exportRows, writeParquet } from './parquet-file';
import { FIXES } from './tables';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9000001';
const HOUR = 495_000;
/** Of an answer, held back for a moment: its last message, and a part of the one that has the number of rows. */
const HELD_BYTES = 12;
const HELD_MS = 50;

/** More than sockets and streams hold, so that PostgreSQL waits for a reader. */
const LARGE_COPY = "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 20000)) TO STDOUT";

const held = setUpRecording();

/** A route to PostgreSQL on which the end of each answer comes late. */
const startSlowRoute = async (port: number) => {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far);
    near.on('close', () => far.destroy()).on('error', () => far.destroy());
    let sent = Promise.resolve();
    far.on('data', (bytes) => {
      const cut = Math.max(1, bytes.length - HELD_BYTES);
      sent = sent.then(async () => {
        near.write(bytes.subarray(0, cut));
        await new Promise((resolve) => setTimeout(resolve, HELD_MS));
        near.write(bytes.subarray(cut));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};

it('the number of exported rows is known, also where it comes after them', async () => {
  const fixes = Array.from({ length: 7 }, (_, i) => ({ unit: `U${i}`, fixMs: HOUR * HOUR_MS + i * 1000 }));
  const seenMs = HOUR * HOUR_MS + 60_000;
  await held.write({ usdot: USDOT, seenMs, changes: changesOf(seenMs, fixes) });
  const url = new URL(held.database.databaseUrl);
  const route = await startSlowRoute(Number(url.port));
  url.port = String(route.port);
  const pool = openPool(url.href);
  const client = await pool.connect();
  try {
    const partition = toPartition(FIXES.name, HOUR);
    const { rows } = await exportRows(client, FIXES, { scratch: held.scratch, partition, usdot: USDOT });
    expect(rows).toBe(7);
  } finally {
    client.release();
    await pool.end();
    route.close();
  }
});

it('a COPY to a full disk ends its connection, and holds nothing', async () => {
  const path = join(held.folder, 'rows.csv');
  await symlink('/dev/full', path);
  const client = await held.pool.connect();
  await client.query('BEGIN');
  const copied = copyToFile(client, LARGE_COPY, path);
  await expect(copied).rejects.toMatchObject({ code: 'ENOSPC' });
  await expect(client.query('ROLLBACK')).rejects.toThrow('closed');
  client.release(true);
  await expect
    .poll(() =>
      held.database.query(`SELECT state FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'COPY%'`),
    )
    .toEqual([]);
});

it('units have a dictionary, and the times of many polls the differences between them', async () => {
  const duck = new DuckDb({ folder: held.folder, memoryMb: 256 });
  const path = 'fixes/of-a-day.parquet';
  // 100 units, each in every fifth of 2,000 polls.
  const query = `SELECT 'U' || (i % 100) AS unit, poll AS fix_s, 0::SMALLINT AS fix_rest_ms, poll AS seen_s, 0 AS lat_e5, 0 AS lng_e5,
      0::SMALLINT AS speed_kph, 0::SMALLINT AS heading_deg, false AS is_by_receipt
    FROM (SELECT i, 20 * (5 * (i // 100) + i % 5) AS poll FROM range(40000) AS t(i))`;
  await writeParquet(duck, FIXES, { folder: held.folder, path, query, level: 3 });
  const encodings = await duck.readRows<[column: string, encodings: string]>(
    `SELECT path_in_schema, encodings FROM parquet_metadata('${held.folder}/${path}')`,
  );
  await duck.close();
  expect(Object.fromEntries(encodings)).toMatchObject({
    unit: 'RLE_DICTIONARY',
    seen_s: 'DELTA_BINARY_PACKED',
  });
});
