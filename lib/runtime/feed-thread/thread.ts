import 'server-only';
import { parentPort, workerData } from 'node:worker_threads';
import { createFeeds } from '@/lib/live/feeds';
import { createTrackingClient } from '@/lib/tracking/client';
import { createCollector } from './collect-garbage';
import { createFetchThrough } from './fetch-through';
import type { FromThread, ThreadOrder, ToThread } from './messages';
import { toPlainError } from './plain-error';

/** Stands for the service behind the main thread, which puts the real address and secrets in its place. */
const THROUGH = { baseUrl: 'http://main-thread.invalid', apiKey: 'none', providerToken: 'none' };

const order = workerData as ThreadOrder;
const port = parentPort!;
const tell = (message: FromThread): void => port.postMessage(message);

const collector = createCollector(order.pollIntervalMs);
const through = createFetchThrough(tell);
const { baseUrl, ...credentials } = order.provider ?? THROUGH;
const feeds = createFeeds({
  client: createTrackingClient({
    fetch: order.provider === null ? through.fetch : fetch,
    baseUrl,
    credentials,
    now: Date.now,
    timeoutMs: order.timeoutMs,
  }),
  now: Date.now,
  pollIntervalMs: order.pollIntervalMs,
  settings: { maxFleets: order.maxFleets },
  onPublished: (usdot, version, state, salvage) => {
    tell({ kind: 'published', usdot, version, state, salvage });
    collector.afterPoll(state.activeUnits);
  },
  onProblem: (usdot, problem, error) => tell({ kind: 'problem', usdot, problem, error: toPlainError(error) }),
});

const answer = async (message: Extract<ToThread, { kind: 'answer' | 'detail' }>): Promise<FromThread> => {
  const { id, usdot } = message;
  try {
    const feed = feeds.feed(usdot);
    return message.kind === 'detail'
      ? { kind: 'detailed', id, detail: await feed.detail(message.key) }
      : { kind: 'answered', id, answer: await feed.answer(message.since, message.accept) };
  } catch (error) {
    return { kind: 'failed', id, error: toPlainError(error) };
  }
};

port.on('message', (message: ToThread) => {
  if (message.kind === 'answer' || message.kind === 'detail') void answer(message).then(tell);
  else through.settle(message);
});
