import 'server-only';
import { parentPort, workerData } from 'node:worker_threads';
import { createFeeds } from '@/lib/live/feeds';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import type { LiveSettings } from '@/lib/live/settings';
import { createTrackingClient } from '@/lib/tracking/client';
import type { ProviderAccount } from '@/lib/config/providers';
import { requireAccount } from '../tracking-accounts';
import type { TrackingAccount } from '../tracking-accounts';
import { createFetchThrough } from './fetch-through';
import { toPlainError } from './messages';
import type { FromThread, ThreadOrder, ToThread } from './messages';
import { createVitalsWatch } from './health';

/** Placeholder for the service behind the main thread, which fills in the real address and secrets. */
const THROUGH: ProviderAccount = {
  baseUrl: 'http://main-thread.invalid',
  apiKey: 'none',
  providerToken: 'none',
  usdot: null,
};

const order = workerData as ThreadOrder;
const port = parentPort!;
const tell = (message: FromThread): void => port.postMessage(message);

const toSettings = ({
  feedSettings,
  maxFleets,
  carrierPauseMs,
  flagSettings,
}: ThreadOrder): Partial<LiveSettings> => ({
  ...feedSettings,
  maxFleets,
  carrierPauseMs,
  motion: { ...DEFAULT_LIVE_SETTINGS.motion, ...flagSettings },
});

const vitals = createVitalsWatch();
const through = createFetchThrough(tell);
const isThrough = order.providers.length === 0;
const accounts = (isThrough ? [THROUGH] : order.providers).map(
  ({ baseUrl, apiKey, providerToken, usdot }): TrackingAccount => ({
    usdot,
    client: createTrackingClient({
      fetch: isThrough ? through.fetch : fetch,
      baseUrl,
      credentials: { apiKey, providerToken },
      now: Date.now,
      limits: order.limits,
    }),
  }),
);
const feeds = createFeeds({
  clientOf: (usdot) => requireAccount(accounts, usdot).client,
  now: Date.now,
  pollIntervalMs: order.pollIntervalMs,
  settings: toSettings(order),
  onPublished: (usdot, version, feed) =>
    tell({
      kind: 'published',
      usdot,
      version,
      state: feed.state(),
      salvage: feed.salvage(),
      problems: feed.problems(),
      refusedForMs: feed.refusedForMs(),
    }),
  onPolled: (report) => tell({ kind: 'polled', report, vitals: vitals.take() }),
  onEncoded: vitals.noteEncoded,
  onProblem: (usdot, problem, error) =>
    tell({ kind: 'problem', usdot, problem, error: error === null ? null : toPlainError(error) }),
});

const answer = async (
  message: Extract<ToThread, { kind: 'answer' | 'detail' | 'try' | 'carrier' }>,
): Promise<FromThread> => {
  const { id } = message;
  try {
    if (message.kind === 'carrier')
      return { kind: 'carried', id, carrier: await feeds.knownCarrier(message.usdot, message.vin) };
    const { usdot } = message;
    const feed = feeds.feed(usdot);
    if (message.kind === 'try') return { kind: 'tried', id, waitMs: await feed.tryNow() };
    return message.kind === 'detail'
      ? { kind: 'detailed', id, detail: await feed.detail(message.key) }
      : { kind: 'answered', id, answer: await feed.answer(message.since, message.accept) };
  } catch (error) {
    return { kind: 'failed', id, error: toPlainError(error) };
  }
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'answer':
    case 'detail':
    case 'try':
    case 'carrier':
      return void answer(message).then(tell);
    case 'learn':
      return feeds.learnCarrier(message.usdot, message.carrier);
    case 'judge':
      return feeds.judgeBy(message.flags);
    default:
      return through.settle(message);
  }
});
