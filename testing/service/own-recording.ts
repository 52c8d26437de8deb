import { afterEach, beforeEach } from 'vitest';
import { openStore, type Store } from '@/service/store/store';
import { setUpRecording } from '@/testing/history/recording';
import { applyLiveAnswer } from '@/lib/wire/live';
import { readWhole } from '@/testing/live/watched-feed';
import { openOwnServer } from './own-server';
import { OWN_CARRIER, toVehicle } from './vehicles';

/** A vehicle of the own fleet, with a number. */
export const toOwnVehicle: typeof toVehicle = (n, given) =>
  toVehicle(n, { usdot: OWN_CARRIER.usdot, ...given });

/** An own fleet by a clock of the test, with a store to report to. */
export const setUpOwnRecording = (startMs: number) => {
  const held = setUpRecording();
  let server: ReturnType<typeof openOwnServer>;
  const start = (): void => {
    server = openOwnServer(held.database.databaseUrl, () => own.nowMs);
  };
  const own = {
    nowMs: startMs,
    held,
    store: null as unknown as Store,
    poll: () => server.poll(),
    learnNames: () => server.learnNames(),
    /** The truck numbers that the feed shows, by VIN. */
    readNumbers: async (): Promise<Record<string, string | null>> => {
      const fleet = applyLiveAnswer(null, await readWhole(server.feed));
      return Object.fromEntries(fleet.identities.map((each) => [each!.vin, each!.truckNumber]));
    },
    flush: () => server.recorder.flush(),
    /** Ends the server and starts another one. */
    restart: async (): Promise<void> => {
      await server.close();
      start();
    },
  };
  beforeEach(async () => {
    own.nowMs = startMs;
    own.store = await openStore({ databaseUrl: held.database.databaseUrl, now: () => own.nowMs });
    await own.store.carriers.upsert(OWN_CARRIER);
    start();
  });
  afterEach(async () => {
    await server.close();
    await own.store.close();
  });
  return own;
};
