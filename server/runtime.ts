import 'server-only';
import { createAccounts } from '@/lib/auth/server/accounts';
import type { Accounts, AccountsOptions } from '@/lib/auth/server/accounts';
import { createMailer } from '@/lib/users/server/mailer';
import { readOrMakeSecret } from '@/lib/auth/server/secret';
import type { SetFlags } from '@/lib/settings/server/server-settings';
import type { Feeds } from '@/lib/live/feeds';
import { MAX_FLEETS, composeRuntime } from './compose';
import { setRuntime } from '@/lib/http/runtime';
import type { Runtime } from '@/lib/http/runtime';
import { concealSecrets } from '@/lib/ops/conceal-secrets';
import { createCredentialLedger } from './credential-ledger';
import type { Env } from '@/lib/config/env';
import { createFeedJournal } from '@/lib/live/worker/feed-journal';
import type { FeedJournal } from '@/lib/live/worker/feed-journal';
import { createThreadedFeeds } from '@/lib/live/worker/threaded-feeds';
import { withSetFlags } from '@/lib/settings/server/flag-settings';
import { createLog, createSecretKeeper } from '@/lib/ops/log';
import type { Log, SecretKeeper } from '@/lib/ops/log';
import { readVersions } from '@/lib/ops/versions';
import type { Fetch } from '@/lib/tracking/transport';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import { createPollLog } from '@/lib/ops/poll-log';
import { createUpstream } from './upstream';
import type { Upstream } from './upstream';

interface Listeners {
  log: Log;
  journal: FeedJournal;
  metrics: Metrics | null;
}

const startFeeds = (env: Env, upstream: Upstream, { log, journal, metrics }: Listeners): Feeds =>
  createThreadedFeeds({
    order: {
      providers: env.providers,
      pollIntervalMs: env.pollIntervalMs,
      limits: env.answerLimits,
      maxFleets: MAX_FLEETS,
      feedSettings: env.feedSettings,
      carrierPauseMs: env.carrierPauseMs,
      flagSettings: env.flagSettings,
    },
    fetch: upstream.ask,
    elapsed: () => performance.now(),
    onPolled: (report, vitals) => {
      journal.notePoll(report, vitals);
      metrics?.notePoll(report, vitals);
    },
    onProblem: createPollLog(log),
    onLost: (error) => log.error({ err: error }, 'The thread that polls has ended; it is started again.'),
  });

const openAccounts = (
  env: Env,
  {
    log,
    keeper,
    ...rest
  }: { log: Log; keeper: SecretKeeper } & Pick<
    AccountsOptions,
    'onFlagsSet' | 'openCredentials' | 'holdsOnlyDemoFleet'
  >,
): Accounts => {
  const secret = env.authSecret ?? readOrMakeSecret(env.dataFolder);
  keeper.conceal(secret);
  return createAccounts({
    mode: env.accounts,
    databaseUrl: env.databaseUrl,
    secret,
    publicUrl: env.publicUrl,
    isSecondFactorRequired: env.isSecondFactorRequired,
    ...rest,
    oidc: env.oidc,
    sendMail: env.mail === null ? null : createMailer(env.mail),
    now: Date.now,
    elapsed: () => performance.now(),
    log: log.child({ part: 'accounts' }),
    announce: (words) => process.stdout.write(`${words}\n`),
  });
};

/**
 * Composes the runtime of this process, and sets it for pages and route handlers.
 *
 * @param fetch Node's own: Next.js replaces the global one with one that caches and ties each call to a page
 * @throws AuthSecretError
 */
export const openRuntime = (env: Env, fetch: Fetch): Runtime => {
  const now = Date.now;
  const versions = readVersions();
  const keeper = createSecretKeeper();
  concealSecrets(env, keeper);
  const log = createLog(keeper, env.logLevel);
  const onFlagsSet = (set: SetFlags) => feeds.judgeBy(withSetFlags(env.flagSettings, env.fixedFlags, set));
  const openCredentials = async () =>
    env.providers.length > 0 ? null : createCredentialLedger(await upstream.openStore(), now);
  const accounts = openAccounts(env, {
    log,
    keeper,
    onFlagsSet,
    openCredentials,
    holdsOnlyDemoFleet: () => upstream.holdsOnlyDemo(),
  });
  const upstream = createUpstream({ env, now, log, keeper, fetch });
  const journal = createFeedJournal({ maxFleets: MAX_FLEETS });
  const metrics = env.metricsToken === null ? null : createMetrics(versions);
  const feeds = startFeeds(env, upstream, { log, journal, metrics });
  const runtime = composeRuntime({ env, log, versions, upstream, accounts, feeds, journal, metrics, now });
  setRuntime(runtime);
  return runtime;
};
