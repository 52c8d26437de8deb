import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '@/testing/database';
import { startTcpProxy, throughProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { silentLog } from '@/service/log';
import { TRACKING_PART, inTransaction, openDatabase, type Database } from './database';

let drop: () => Promise<void>;
let proxy: TcpProxy;
let database: Database;
beforeAll(async () => {
  const made = await createTestDatabase();
  drop = made.drop;
  proxy = await startTcpProxy(Number(new URL(made.databaseUrl).port));
  database = openDatabase(throughProxy(made.databaseUrl, proxy), TRACKING_PART, silentLog);
});
afterAll(async () => {
  await database.pool.end();
  await proxy.close();
  await drop();
});

it('survives a server that goes away while a transaction holds its connection, and reconnects', async () => {
  const broken = inTransaction(database.pool, async (client) => {
    await client.query('SELECT 1');
    // No statement is pending: only the connection's own listener reports the loss.
    await proxy.cut();
    await client.query('SELECT 2');
  });
  await expect(broken).rejects.toThrow();
  await expect(database.pool.query('SELECT 3')).rejects.toThrow('ECONNREFUSED');
  await proxy.restore();
  expect((await database.pool.query('SELECT 4 AS found')).rows).toEqual([{ found: 4 }]);
});
