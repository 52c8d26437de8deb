import 'server-only';
import { composeRuntime } from './compose';
import type { Runtime } from './compose';
import { parseEnv } from './env';
import { createLog, createSecretKeeper } from './log';
import { once } from './once';
import { createUpstream } from './upstream';

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
    return { ...composeRuntime({ env, log, upstream, now }), start: upstream.start };
  });
