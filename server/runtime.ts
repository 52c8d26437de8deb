import 'server-only';
import { systemClock } from '@/lib/clock';
import { createAccounts } from '@/lib/auth/server/accounts';
import type { Accounts, AccountsOptions } from '@/lib/auth/server/accounts';
import { createMailer } from '@/lib/users/server/mailer';
import { readOrCreateSecret } from '@/lib/auth/server/secret';
import type { SetFlags } from '@/lib/settings/server/server-settings';
import type { Feeds } from '@/lib/live/feeds';
import { MAX_FLEETS, composeRuntime } from './compose';
import { setRuntime } from '@/lib/http/runtime';
import type { Runtime } from '@/lib/http/runtime';
import { addEnvSecrets, createLog, createSecretRedactor, createPollLog } from '@/lib/ops/log';
import type { Env } from '@/lib/config/env';
import { FeedJournal } from '@/lib/live/worker/feed-journal';
import { ThreadedFeeds } from '@/lib/live/worker/threaded-feeds';
import { withSetFlags } from '@/lib/settings/server/server-settings';
import type { Log, SecretRedactor } from '@/lib/ops/log';
import { readServiceWorker, readVersions } from '@/lib/ops/versions';
import type { Fetch } from '@/lib/tracking/http/transport';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import { createUpstream } from './service/upstream';
import type { Upstream } from './service/upstream';

interface Listeners {
  log: Log;
  journal: FeedJournal;
  metrics: Metrics | null;
}

const startFeeds = (env: Env, upstream: Upstream, { log, journal, metrics }: Listeners): Feeds =>
  new ThreadedFeeds({
    config: {
      providers: env.providers,
      pollIntervalMs: env.pollIntervalMs,
      limits: env.answerLimits,
      maxFleets: MAX_FLEETS,
      feedSettings: env.feedSettings,
      carrierPauseMs: env.carrierPauseMs,
      flagSettings: env.flagSettings,
    },
    fetch: upstream.forward,
    clock: systemClock,
    onPolled: (report, health) => {
      journal.notePoll(report, health);
      metrics?.notePoll(report, health);
    },
    onProblem: createPollLog(log),
    onLost: (error) => log.error({ err: error }, 'The thread that polls has ended; it is started again.'),
  });

const openAccounts = (
  env: Env,
  {
    log,
    redactor,
    ...rest
  }: { log: Log; redactor: SecretRedactor } & Pick<
    AccountsOptions,
    'onFlagsSet' | 'openServiceAdmin' | 'holdsOnlyDemoFleet'
  >,
): Accounts => {
  const secret = env.authSecret ?? readOrCreateSecret(env.dataFolder);
  redactor.addSecret(secret);
  return createAccounts({
    mode: env.accounts,
    databaseUrl: env.databaseUrl,
    secret,
    publicUrl: env.publicUrl,
    isSecondFactorRequired: env.isSecondFactorRequired,
    ...rest,
    oidc: env.oidc,
    sendMail: env.mail === null ? null : createMailer(env.mail),
    clock: systemClock,
    log: log.child({ part: 'accounts' }),
    announce: (message) => process.stdout.write(`${message}\n`),
  });
};

/**
 * Composes the runtime of this process, and sets it for pages and route handlers.
 *
 * @param fetch Node's own: Next.js replaces the global one with one that caches and ties each call to a page
 * @throws AuthSecretError
 */
export const openRuntime = (env: Env, fetch: Fetch): Runtime => {
  const versions = readVersions();
  const redactor = createSecretRedactor();
  addEnvSecrets(env, redactor);
  const log = createLog(redactor, env.logLevel);
  const onFlagsSet = (set: SetFlags) =>
    feeds.setFlagSettings(withSetFlags(env.flagSettings, env.fixedFlags, set));
  const accounts = openAccounts(env, {
    log,
    redactor,
    onFlagsSet,
    openServiceAdmin: async () => (env.providers.length > 0 ? null : upstream.openAdmin()),
    holdsOnlyDemoFleet: () => upstream.holdsOnlyDemo(),
  });
  const upstream = createUpstream({ env, clock: systemClock, log, redactor, fetch });
  const journal = new FeedJournal(MAX_FLEETS);
  const metrics = env.metricsToken === null ? null : createMetrics(versions);
  const feeds = startFeeds(env, upstream, { log, journal, metrics });
  const serviceWorker = readServiceWorker();
  const runtime = composeRuntime({
    env,
    log,
    versions,
    serviceWorker,
    upstream,
    accounts,
    feeds,
    journal,
    metrics,
  });
  setRuntime(runtime);
  return runtime;
};
