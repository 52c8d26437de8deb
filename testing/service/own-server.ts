import { setTimeout as sleep } from 'node:timers/promises';
import { HISTORY_PART, openDatabase, type Database } from '@/lib/database/database';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { FleetWatches } from '@/lib/alerts/server/fleet-watches';
import type { Outbox } from '@/lib/recording/history-repository';
import { parseEnv } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import type { Routing } from '@/lib/routing/routing';
import { createUpstream } from '@/server/service/upstream';
import { NO_SOURCES } from '@/testing/app/no-sources';
import { clockOf } from '@/testing/clock';
import { OWN_CARRIER } from './vehicles';

const { usdot } = OWN_CARRIER;
const PAUSE_MS = 50;
const CREDENTIALS = { apiKey: 'none', providerToken: 'none' };

interface OwnServerOptions {
  /** Its fleet is watched for sites, rules and loads, with messages about alerts. */
  watched?: { open: () => Promise<Database>; outbox: Outbox };
  /** Its loads' ways are asked for there. */
  routing?: Routing;
}

/** The embedded service, the feed and the recorder of an own fleet. Nothing is polled but by `poll`. */
export const openOwnServer = (
  databaseUrl: string,
  nowMs: () => number,
  { watched: watching, routing }: OwnServerOptions = {},
) => {
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
    ...(watching && { outbox: watching.outbox }),
  });
  const watches =
    watching &&
    new FleetWatches({ open: watching.open, recording: recorder, reload: () => undefined, clock, log });
  const client = createTrackingClient({
    ...{ fetch: upstream.forward, baseUrl: 'http://embedded.invalid', credentials: CREDENTIALS },
    ...{ clock, limits: DEFAULT_ANSWER_LIMITS },
  });
  let notePolled: () => void = () => undefined;
  let noteRead: () => void = () => undefined;
  let noteRouted: () => void = () => undefined;
  const feeds = new PolledFeeds({
    ...{ clientOf: () => client, clock, pollIntervalMs: 20 },
    settings: { isRecorded: true, isRouted: routing !== undefined },
    readStart: async (_, parts) => {
      if (typeof parts === 'object' && 'routes' in parts) {
        const routes = await routing!.findAll(parts.routes);
        noteRouted();
        return { units: null, watch: null, routes };
      }
      if (typeof parts === 'object') return { units: null, watch: null };
      const watch = (await watches?.read(usdot, parts)) ?? null;
      noteRead();
      if (parts !== 'all') return { units: null, watch };
      const names = await upstream.names!.readAll(usdot);
      return { units: await recorder.readNewest(usdot), names, watch };
    },
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
    /** Reads again what the fleet is watched for. */
    reloadWatch: async (): Promise<void> => {
      const isRead = new Promise<void>((resolve) => (noteRead = resolve));
      feeds.reloadWatch(usdot);
      await isRead;
    },
    /** Resolves with the next answers of the routing engine. */
    routed: () => new Promise<void>((resolve) => (noteRouted = resolve)),
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
