import 'server-only';
import { systemClock } from '@/lib/base/clock';
import { parentPort, workerData } from 'node:worker_threads';
import { listBuffers } from '@/lib/fleet/poll-changes';
import { type FeedStart, reportOf } from '../feed/feed';
import { PolledFeeds, requireAccount, type TrackingAccount } from '../feeds';
import { DEFAULT_LIVE_SETTINGS, type LiveSettings } from '@/lib/fleet/settings';
import { createTrackingClient } from '@/lib/tracking/client';
import type { ProviderAccount } from '@/lib/config/providers';
import { createPublicFetch } from '@/lib/base/http/public-fetch';
import {
  createForwardedFetch,
  PendingMessages,
  toPlainError,
  type FromThread,
  type ThreadCalls,
  type ThreadConfig,
  type ToThread,
  FEED_CALLS,
  type FeedCall,
} from './messages';
import { HealthMonitor } from './health';

/** Placeholder for the service behind the main thread, which fills in the real address and secrets. */
const FORWARDED: ProviderAccount = {
  baseUrl: 'http://main-thread.invalid',
  apiKey: 'none',
  providerToken: 'none',
  usdot: null,
};

const config = workerData as ThreadConfig;
const port = parentPort!;
const send = (message: FromThread, transferred: ArrayBuffer[] = []): void =>
  port.postMessage(message, transferred);

const toSettings = ({
  feedSettings,
  maxFleets,
  carrierPauseMs,
  flagSettings,
  isRecorded,
  isRouted,
}: ThreadConfig): Partial<LiveSettings> => ({
  ...feedSettings,
  maxFleets,
  carrierPauseMs,
  isRecorded,
  isRouted,
  motion: { ...DEFAULT_LIVE_SETTINGS.motion, ...flagSettings },
});

const health = new HealthMonitor();
const forwarded = createForwardedFetch(send);
const startReads = new PendingMessages<FeedStart>();
const providerFetch = config.isPublicOnly ? createPublicFetch() : fetch;
const isForwarded = config.providers.length === 0;
const accounts = (isForwarded ? [FORWARDED] : config.providers).map(
  ({ baseUrl, apiKey, providerToken, usdot }): TrackingAccount => ({
    usdot,
    client: createTrackingClient({
      fetch: isForwarded ? forwarded.fetch : providerFetch,
      baseUrl,
      credentials: { apiKey, providerToken },
      clock: systemClock,
      limits: config.limits,
    }),
  }),
);
const feeds = new PolledFeeds({
  clientOf: (usdot) => requireAccount(accounts, usdot).client,
  clock: systemClock,
  pollIntervalMs: config.pollIntervalMs,
  isShared: config.isShared,
  settings: toSettings(config),
  readStart: (usdot, parts) => startReads.send((id) => send({ kind: 'readStart', id, usdot, parts })),
  onPublished: (usdot, version, feed) => send({ kind: 'published', usdot, version, ...reportOf(feed) }),
  onPolled: (report, changes, watched) =>
    send(
      { kind: 'polled', report, health: health.take(), changes, watched },
      changes === null ? [] : listBuffers(changes),
    ),
  onEncoded: (step, tookMs) => health.noteEncoded(step, tookMs),
  onProblem: (usdot, problem, error) =>
    send({ kind: 'problem', usdot, problem, error: error === null ? null : toPlainError(error) }),
});

type Methods = Record<string, (...args: unknown[]) => unknown>;
const isFeedCall = (name: keyof ThreadCalls): name is FeedCall =>
  (FEED_CALLS as readonly string[]).includes(name);

const call = ({ name, args }: Extract<ToThread, { kind: 'call' }>): unknown => {
  if (!isFeedCall(name)) return (feeds as unknown as Methods)[name]!(...args);
  const [usdot, ...others] = args;
  return (feeds.feed(usdot as string) as unknown as Methods)[name]!(...others);
};

const answerCall = async (message: Extract<ToThread, { kind: 'call' }>): Promise<void> => {
  const { id } = message;
  if (id === null) return void call(message);
  try {
    send({ kind: 'result', id, value: await call(message) });
  } catch (error) {
    send({ kind: 'failed', id, error: toPlainError(error) });
  }
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'call':
      return void answerCall(message);
    case 'start':
      return startReads.resolve(message.id, message.start);
    default:
      return forwarded.resolve(message);
  }
});
