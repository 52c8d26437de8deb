import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '@/testing/database';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, toVehicle, toVin } from '../../testing/service/vehicles';
import { TRACKING_PART } from '@/lib/database/database';
import { findMigrationsFolder } from '@/lib/database/migrate';
import { createSecret, hashSecret } from './credentials/secrets';
import { openStore, type Store } from './store';

/** The migrations up to the one of that number, in a folder of their own. */
const copyMigrations = (count: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'linehaul-migrations-'));
  cpSync(findMigrationsFolder(TRACKING_PART), folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] };
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
};

const { usdot } = CARRIER;
const secrets = {
  apiKey: createSecret('lh_key_'),
  providerToken: createSecret('lh_provider_'),
  ingestToken: createSecret('lh_ingest_'),
};
let databaseUrl = '';
let drop: () => Promise<void>;
let store: Store;

/** A database as the version before access settings left it, with a row in each of its tables. */
const makePrevious = async (client: Client): Promise<void> => {
  const migrationsFolder = copyMigrations(1);
  await migrate(drizzle({ client }), { migrationsFolder, migrationsTable: TRACKING_PART.migrationsTable });
  rmSync(migrationsFolder, { recursive: true });
  const { vin, deviceId } = toVehicle(1);
  await client.query('INSERT INTO tracking.carriers (usdot, company_name, company_id) VALUES ($1, $2, $3)', [
    usdot,
    CARRIER.companyName,
    CARRIER.companyId,
  ]);
  await client.query('INSERT INTO tracking.vehicles (usdot, vin, device_id) VALUES ($1, $2, $3)', [
    usdot,
    vin,
    deviceId,
  ]);
  await client.query(
    `INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, lat, lng)
     SELECT id, 1000, 2000, 35.2, -101.8 FROM tracking.vehicles`,
  );
  await client.query(
    `INSERT INTO tracking.positions (vehicle_id, revision, order_at_ms, fix_at_ms, received_at_ms, lat, lng)
     SELECT id, nextval('tracking.revisions'), 1000, 1000, 2000, 35.2, -101.8 FROM tracking.vehicles`,
  );
  await client.query(
    `INSERT INTO tracking.api_keys (id, usdot, name, key_hash, provider_token_hash, created_at_ms, revoked_at_ms)
     VALUES ('key-1', $1, 'dispatch', $2, $3, 500, NULL), ('key-2', $1, 'ended', $4, $4, 400, 450)`,
    [usdot, hashSecret(secrets.apiKey), hashSecret(secrets.providerToken), hashSecret('another')],
  );
  await client.query(
    `INSERT INTO tracking.ingest_tokens (id, usdot, name, token_hash, created_at_ms) VALUES ('token-1', $1, 'phones', $2, 600)`,
    [usdot, hashSecret(secrets.ingestToken)],
  );
};

beforeAll(async () => {
  ({ databaseUrl, drop } = await createEmptyDatabase());
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await makePrevious(client);
  await client.end();
  store = await openStore({ databaseUrl, now: () => NOW_MS });
});
afterAll(async () => {
  await store.close();
  await drop();
});

describe('a database of the version before access settings', () => {
  it('keeps its keys, which go on to work without limits', async () => {
    expect(await store.keys.verify(secrets.apiKey, secrets.providerToken)).toEqual({
      id: 'key-1',
      usdot,
      endsAtMs: null,
      access: { endpoints: null, allowedNetworks: null, requestsPerMinute: null },
    });
    const unknown = { prefix: null, createdBy: null, replaced: null };
    expect(await store.keys.list()).toMatchObject([
      { id: 'key-2', name: 'ended', createdAtMs: 400, revokedAtMs: 450, ...unknown },
      { id: 'key-1', name: 'dispatch', createdAtMs: 500, revokedAtMs: null, ...unknown },
    ]);
  });

  it('can rotate such a key', async () => {
    const newer = (await store.keys.rotate('key-1', 1000))!;
    expect(await store.keys.verify(newer.apiKey, newer.providerToken)).toMatchObject({ endsAtMs: null });
    expect(await store.keys.verify(secrets.apiKey, secrets.providerToken)).toMatchObject({
      endsAtMs: NOW_MS + 1000,
    });
  });

  it('keeps its ingest tokens, vehicles, fixes and positions', async () => {
    expect(await store.ingestTokens.verify(secrets.ingestToken)).toEqual({ id: 'token-1', usdot });
    expect(await store.ingestTokens.list()).toMatchObject([
      { id: 'token-1', name: 'phones', createdAtMs: 600 },
    ]);
    const vehicle = await store.vehicles.readByVin(toVin(1));
    expect(await store.positions.read(vehicle!.id)).toMatchObject({ fixAtMs: 1000, lat: 35.2, lng: -101.8 });
    expect(await store.devices.list(usdot)).toMatchObject([{ vin: toVin(1), reportedAtMs: 2000 }]);
    expect(await store.devices.readReported(vehicle!.id)).toMatchObject({
      fixAtMs: 1000,
      isIgnitionOn: null,
      odometerM: null,
      noPositionCount: 0,
    });
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query('SELECT fix_at_ms::int AS at FROM tracking.fixes');
    await client.end();
    expect(rows).toEqual([{ at: 1000 }]);
  });
});
