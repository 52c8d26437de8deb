import { expect, it } from 'vitest';
import { createEmptyDatabase } from '@/testing/database';
import { IS_LONG } from '@/testing/long';
import { APPLICATION_PART, TRACKING_PART } from './database';
import { migrateDatabase } from './migrate';

const TIMES = IS_LONG ? 8 : 3;

it('a new database is migrated while the tracking service, or another process of the same kind, migrates too', async () => {
  for (let i = 0; i < TIMES; i++) {
    const database = await createEmptyDatabase();
    const { databaseUrl } = database;
    try {
      const parts = [APPLICATION_PART, TRACKING_PART, APPLICATION_PART, TRACKING_PART];
      await Promise.all(parts.map((part) => migrateDatabase(databaseUrl, part)));
      const schemas = await database.query(
        "SELECT 1 FROM pg_namespace WHERE nspname IN ('linehaul', 'tracking')",
      );
      expect(schemas).toHaveLength(2);
    } finally {
      await database.drop();
    }
  }
});
