import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase } from '@/testing/database';
import { openStore, type Store } from '@/service/store/store';

export const NOW_MS = Date.UTC(2026, 2, 5, 15, 0, 0);

/** A store without rows for the tests of one file, and a clock that they set. */
export const createTestStore = (createDatabase = createTestDatabase) => {
  const context = {
    nowMs: NOW_MS,
    now: () => context.nowMs,
    databaseUrl: '',
    store: null as unknown as Store,
  };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createDatabase();
    drop = database.drop;
    context.databaseUrl = database.databaseUrl;
    context.store = await openStore({ databaseUrl: database.databaseUrl, now: context.now });
  });
  afterAll(async () => {
    await context.store.close();
    await drop();
  });
  return context;
};
