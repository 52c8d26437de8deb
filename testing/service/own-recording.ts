import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { PolledFeeds } from '@/lib/live/feeds';
import { parseEnv } from '@/lib/config/env';
import { Recorder } from '@/lib/history/server/recorder';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { createLog, createSecretRedactor } from '@/lib/ops/log';
import { openStore } from '@/service/store/store';
import type { Store } from '@/service/store/store';
import { createUpstream } from '@/server/service/upstream';
import { NO_SOURCES } from '@/testing/app/no-sources';
import { clockOf } from '@/testing/clock';
import { openPool, setUpRecording } from '@/testing/history/recording';
import { toVehicle } from './vehicles';

export const OWN_CARRIER = {
  usdot: '2345678',
  companyName: 'Blue Mesa',
  companyId: '2345678',
  mcNumber: null,
};
const { usdot } = OWN_CARRIER;
const PAUSE_MS = 50;
const CREDENTIALS = { apiKey: 'none', providerToken: 'none' };

/** A vehicle of the own fleet, with a number. */
export const toOwnVehicle: typeof toVehicle = (n, given) => toVehicle(n, { usdot, ...given });

/**
 * The fleet of OWN_CARRIER as an own one, whose embedded service, feed and recorder run by a clock of the test, with a store to report to. Nothing is
 * polled but by `poll`.
 */
export const setUpOwnRecording = (startMs: number) => {
  const held = setUpRecording();
  const own = {
    nowMs: startMs,
    held,
    store: null as unknown as Store,
    recorder: null as unknown as Recorder,
    /** Polls the fleet once, as while no browser shows it, and records what is to be recorded then. */
    poll: async (): Promise<void> => {},
    /** Ends the server and starts another one. */
    restart: async (): Promise<void> => {},
  };
  let close: () => Promise<void> = async () => {};

  const start = async (): Promise<void> => {
    const clock = clockOf(() => own.nowMs);
    const redactor = createSecretRedactor();
    const log = createLog(redactor, 'error', { write: () => undefined });
    const env = parseEnv({
      ...{ DATABASE_URL: held.database.databaseUrl, FLEET_SOURCE: 'own' },
      ...{ CARRIER_USDOT: usdot, CARRIER_NAME: OWN_CARRIER.companyName, ACTIVE_WINDOW_MIN: '360' },
    });
    const { reload: reloadSource } = NO_SOURCES;
    const upstream = createUpstream({ env, reloadSource, clock, log, redactor, fetch });
    const { stored } = upstream;
    const recorder = new Recorder({
      ...{ clock, log, stored, intervalMs: 30_000 },
      open: async () => openPool(held.database.databaseUrl),
    });
    const client = createTrackingClient({
      ...{ fetch: upstream.forward, baseUrl: 'http://embedded.invalid', credentials: CREDENTIALS },
      ...{ clock, limits: DEFAULT_ANSWER_LIMITS },
    });
    let notePolled: () => void = () => undefined;
    const feeds = new PolledFeeds({
      ...{ clientOf: () => client, clock, pollIntervalMs: 1 },
      settings: { isRecorded: true },
      readStart: async () => ({ units: await recorder.readNewest(usdot), watch: null }),
      onPolled: (report, changes, watched) => {
        recorder.note(report, changes, watched);
        notePolled();
      },
    });
    const feed = feeds.feed(usdot);
    recorder.start({
      listUsdots: () => [usdot],
      pollOnce: async () => undefined,
      recordAll: () => feed.recordAll(),
      unitsOf: (_, vehicles) => feed.unitsOf(vehicles),
    });
    Object.assign(own, {
      recorder,
      poll: async () => {
        const polled = new Promise<void>((resolve) => (notePolled = resolve));
        // A pause after the poll before it may be in progress.
        for (let isPolled = false; !isPolled;) {
          await feed.pollOnce();
          isPolled = await Promise.race([polled.then(() => true), sleep(PAUSE_MS).then(() => false)]);
        }
        await recorder.flush();
      },
    });
    close = async () => {
      await feeds.close();
      await recorder.close();
      await upstream.close();
    };
  };

  beforeEach(async () => {
    own.nowMs = startMs;
    own.store = await openStore({ databaseUrl: held.database.databaseUrl, now: () => own.nowMs });
    await own.store.carriers.upsert(OWN_CARRIER);
    await start();
    own.restart = async () => {
      await close();
      await start();
    };
  });
  afterEach(async () => {
    await close();
    await own.store.close();
  });
  return own;
};
