import 'server-only';
import type { Feeds } from '@/lib/live/feeds';
import { MAX_FLEETS, composeRuntime } from './compose';
import type { Runtime } from './compose';
import { parseEnv } from './env';
import type { Env } from './env';
import { createThreadedFeeds } from './feed-thread/threaded-feeds';
import { createLog, createSecretKeeper } from './log';
import type { Log } from './log';
import { once } from './once';
import { createPollLog } from './poll-log';
import { createUpstream } from './upstream';
import type { Upstream } from './upstream';

const startFeeds = (env: Env, log: Log, upstream: Upstream): Feeds =>
  createThreadedFeeds({
    order: {
      provider: env.provider,
      pollIntervalMs: env.pollIntervalMs,
      limits: env.answerLimits,
      maxFleets: MAX_FLEETS,
      feedSettings: env.feedSettings,
      carrierPauseMs: env.carrierPauseMs,
      identityChangeMs: env.identityChangeMs,
    },
    fetch: upstream.ask,
    elapsed: () => performance.now(),
    onProblem: createPollLog(log),
    onLost: (error) => log.error({ err: error }, 'The thread that polls has ended; it is started again.'),
  });

/**
 * The one runtime of this process, composed when it is first asked for.
 *
 * @throws EnvError when the environment cannot be used.
 */
export const readRuntime = (): Runtime & { start: () => Promise<void> } =>
  once('runtime', () => {
    const env = parseEnv(process.env);
    const now = Date.now;
    const keeper = createSecretKeeper();
    const log = createLog(keeper, env.logLevel);
    const upstream = createUpstream({ env, now, log, keeper });
    return {
      ...composeRuntime({ env, log, upstream, feeds: startFeeds(env, log, upstream), now }),
      start: upstream.start,
    };
  });
