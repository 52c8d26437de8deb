import { setTimeout as sleep } from 'node:timers/promises';
import { HISTORY_PART, openDatabase } from '@/lib/database/database';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { parseEnv } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { createUpstream } from '@/server/service/upstream';
import { NO_SOURCES } from '@/testing/app/no-sources';
import { clockOf } from '@/testing/clock';

export const OWN_CARRIER = {
  usdot: '2345678',
  companyName: 'Blue Mesa',
  companyId: '2345678',
  mcNumber: null,
};
const { usdot } = OWN_CARRIER;
const PAUSE_MS = 50;
const CREDENTIALS = { apiKey: 'none', providerToken: 'none' };

/** The embedded service, the feed and the recorder of an own fleet. Nothing is polled but by `poll`. */
export const openOwnServer = (databaseUrl: string, nowMs: () => number) => {
  const clock = clockOf(nowMs);
  const redactor = createSecretRedactor();
  const log = createLog(redactor, 'error', { write: () => undefined });
  const env = parseEnv({
    ...{ DATABASE_URL: databaseUrl, FLEET_SOURCE: 'own' },
    ...{ CARRIER_USDOT: usdot, CARRIER_NAME: OWN_CARRIER.companyName, ACTIVE_WINDOW_MIN: '360' },
  });
  const { reload: reloadSource } = NO_SOURCES;
  const upstream = createUpstream({ env, reloadSource, clock, log, redactor, fetch });
  const recorder = new Recorder({
    ...{ clock, log, stored: upstream.stored, intervalMs: 30_000 },
    open: async () => openDatabase(databaseUrl, HISTORY_PART, log).pool,
  });
  const client = createTrackingClient({
    ...{ fetch: upstream.forward, baseUrl: 'http://embedded.invalid', credentials: CREDENTIALS },
    ...{ clock, limits: DEFAULT_ANSWER_LIMITS },
  });
  let notePolled: () => void = () => undefined;
  const feeds = new PolledFeeds({
    ...{ clientOf: () => client, clock, pollIntervalMs: 1 },
    settings: { isRecorded: true },
    readStart: async () => ({
      units: await recorder.readNewest(usdot),
      names: await upstream.names!.readAll(usdot),
      watch: null,
    }),
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
  return {
    recorder,
    feed,
    learnNames: async () => feeds.learnNames(usdot, await upstream.names!.readChanged(usdot)),
    /** Polls the fleet once, as while no browser shows it, and records what is to be recorded then. */
    poll: async (): Promise<void> => {
      const polled = new Promise<void>((resolve) => (notePolled = resolve));
      // A pause after the poll before it may be in progress.
      for (let isPolled = false; !isPolled;) {
        await feed.pollOnce();
        isPolled = await Promise.race([polled.then(() => true), sleep(PAUSE_MS).then(() => false)]);
      }
      await recorder.flush();
    },
    close: async (): Promise<void> => {
      await feeds.close();
      await recorder.close();
      await upstream.close();
    },
  };
};
