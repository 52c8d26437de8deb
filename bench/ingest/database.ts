import pg from 'pg';
import { openPostgres } from '@/lib/database/embedded/embedded-postgres';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import { openStore } from '@/service/store/store';
import type { DemoFleet } from '@/service/simulator/demo-fleet';

const PREFIX = 'linehaul-bench-ingest-';
const VEHICLES_A_CALL = 10_000;

export interface BenchPostgres {
  /** An empty database of this name on the server. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL for this run, with the settings and the durability that the application gives its own. */
export const startBenchPostgres = async (): Promise<BenchPostgres> => {
  await sweepScratchFolders(PREFIX);
  const dataFolder = createScratchFolder(PREFIX);
  const postgres = await openPostgres({ root: dataFolder, dataFolder, purpose: 'bench:ingest' });
  return {
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: postgres.databaseUrl });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(postgres.databaseUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      await postgres.stop();
      await removeScratchFolder(dataFolder);
    },
  };
};

export interface Registration {
  usdot: string;
  ingestToken: string;
  apiKey: string;
  providerToken: string;
}

/** Puts the carrier, its vehicles and its credentials into a database. */
export const registerFleet = async (databaseUrl: string, fleet: DemoFleet): Promise<Registration> => {
  const store = await openStore({ databaseUrl, now: Date.now });
  const { usdot } = DEMO_CARRIER;
  await store.carriers.upsert(DEMO_CARRIER);
  for (let first = 0; first < fleet.vehicles.length; first += VEHICLES_A_CALL)
    await store.vehicles.upsertMany(fleet.vehicles.slice(first, first + VEHICLES_A_CALL));
  const { token: ingestToken } = await store.ingestTokens.create({ usdot, name: 'bench' });
  const { apiKey, providerToken } = await store.keys.create({ usdot, name: 'bench' });
  await store.close();
  return { usdot, ingestToken, apiKey, providerToken };
};
