import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { changesOf, openPool, setUpRecording } from '@/testing/history/recording';
import { HOUR_MS, toPartition } from '../partitions';
import { exportRows } from './parquet-file';
import { FIXES } from './tables';

const USDOT = '9000001';
const HOUR = 495_000;
/** Of an answer, held back for a moment: its last message, and a part of the one that has the number of rows. */
const HELD_BYTES = 12;
const HELD_MS = 50;

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
    const { rows } = await exportRows(client, FIXES, { folder: held.folder, partition, usdot: USDOT });
    expect(rows).toBe(7);
  } finally {
    client.release();
    await pool.end();
    route.close();
  }
});
