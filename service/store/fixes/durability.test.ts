import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestStore } from '../../../testing/service/store';
import { CARRIER, toFix, toVehicle } from '../../../testing/service/vehicles';

const test = createTestStore();
const WRITER = join('testing', 'service', 'record-forever.ts');
const ENOUGH = 25;

it('keeps every fix that was acknowledged when the process is killed', async () => {
  await test.store.carriers.upsert(CARRIER);
  await test.store.vehicles.upsertMany([toVehicle(1)]);
  const writer = spawn(process.execPath, ['--import', 'tsx', WRITER, test.databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(writer, 'exit');
  let acknowledged = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === ENOUGH) writer.kill('SIGKILL');
  }
  await exited;
  expect(acknowledged).toBeGreaterThanOrEqual(ENOUGH);

  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ second: number }>(
    'SELECT (fix_at_ms / 1000)::int AS second FROM tracking.fixes ORDER BY fix_at_ms',
  );
  await client.end();
  const stored = rows.map((row) => row.second);
  expect(stored.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, i) => i + 1));
  // The one that may have been under way is the most that can be there besides.
  expect(stored.length).toBeLessThanOrEqual(acknowledged + 1);

  expect(await test.store.fixes.record(CARRIER.usdot, [toFix(1, (ENOUGH + 100) * 1000)])).toEqual({
    unknownDevices: [],
  });
}, 60_000);
