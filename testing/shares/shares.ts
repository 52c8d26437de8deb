import { afterAll, beforeAll } from 'vitest';
import type { Pool } from 'pg';
import { systemClock } from '@/lib/base/clock';
import { HOUR_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { shareInputSchema, type ShareInput } from '@/lib/shares/schema';
import { ShareReader } from '@/lib/shares/server/read-share';
import type { ShareContext } from '@/lib/shares/server/shares';
import { SharedPast } from '@/lib/shares/server/shown-parts';
import type { ShareAnswer } from '@/lib/shares/view';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, insertViewer, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { openPool } from '@/testing/history/recording';
import { START_MS } from '@/testing/motion/fixes';

const SECRET = 'a secret of a test, long enough to sign with';
const CLIENT = { address: '203.0.113.7', isOpening: false };

export const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test' };

interface HeldShares {
  database: TestDatabase;
  app: SignIn;
  pool: Pool;
  /** The clock, and how long the servers run. */
  nowMs: number;
  elapsedMs: number;
  by: (viewer: Viewer, secret?: string) => ShareContext;
  /** A server of its own, which ends with the tests. */
  createReader: (options?: { readCarrierName?: () => Promise<string> }) => ShareReader;
  /** What a link shows now to a reader that has not computed it lately. */
  show: (reader: ShareReader, made: { link: string }) => Promise<ShareAnswer>;
}

export const tokenOf = ({ link }: { link: string }): string => link.slice('/t/'.length);

/** A database of a test file, with requests about links by its users. */
export const setUpShares = (): HeldShares => {
  let past: HistoryReader;
  const readers: ShareReader[] = [];
  const clock = {
    nowMs: () => held.nowMs,
    monotonicMs: () => held.elapsedMs,
    setTimer: systemClock.setTimer,
  };
  const held: HeldShares = {
    ...{ database: null as never, app: null as never, pool: null as never },
    ...{ nowMs: START_MS, elapsedMs: 0 },
    by: (viewer, secret = SECRET) => ({
      ...{ ...held.app, viewer, client: toClient(), clock },
      ...{ shares: { secret }, env: { publicUrl: null, source: 'provider' }, history: {} },
      openServiceAdmin: () => Promise.reject(new Error('There is no service here.')),
    }),
    createReader: ({ readCarrierName = async () => 'Peach State Freight' } = {}) => {
      const reader = new ShareReader({
        open: async () => openPool(held.database.databaseUrl),
        ...{ clock, secret: SECRET, past: new SharedPast(past), log: { warn: () => undefined } },
        readCarrierName,
      });
      readers.push(reader);
      return reader;
    },
    show: (reader, made) => {
      held.elapsedMs += 10_000;
      return reader.read(tokenOf(made), CLIENT);
    },
  };
  beforeAll(async () => {
    held.database = await createTestDatabase();
    const { databaseUrl } = held.database;
    ({ app: held.app } = createTestSignIn(databaseUrl));
    held.pool = openPool(databaseUrl);
    past = new HistoryReader({ open: async () => openPool(databaseUrl) });
    await insertViewer(held.database, ANN);
  });
  afterAll(async () => {
    await Promise.all([...readers].map((reader) => reader.close()));
    await past.close();
    await held.app.close();
    await held.pool.end();
    await held.database.drop();
  });
  return held;
};

/** A link that shows where a truck is, for an hour, unless something else is given. */
export const shareOf = (held: { nowMs: number }, changes: Partial<ShareInput>): ShareInput =>
  shareInputSchema.parse({
    ...{ recipient: 'Kroger', precision: 'exact', fields: [], delayMin: 0, items: [] },
    ...{ endsMs: held.nowMs + HOUR_MS, endsOn: null, endsAtStop: null, endsAtSite: null },
    ...{ showsEnd: true, frameOrigins: [], ...changes },
  });

/** Loads and trucks of a link. */
export const about = (
  ...items: { loadId?: number; unit?: string; alias?: string }[]
): Pick<ShareInput, 'items'> => ({
  items: items.map(({ loadId = null, unit = null, alias = '' }) => ({ loadId, unit, alias })),
});
