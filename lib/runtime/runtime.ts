import 'server-only';
import { createAccounts } from '@/lib/accounts/accounts';
import type { Accounts, AccountsOptions } from '@/lib/accounts/accounts';
import { createMailer } from '@/lib/accounts/mailer';
import { readOrMakeSecret } from '@/lib/accounts/secret';
import type { SetFlags } from '@/lib/accounts/server-settings';
import type { Feeds } from '@/lib/live/feeds';
import { MAX_FLEETS, composeRuntime } from './compose';
import type { Runtime } from './compose';
import { concealSecrets } from './conceal-secrets';
import { createCredentialLedger } from './credential-ledger';
import { parseEnv } from './env/env';
import type { Env } from './env/env';
import { createFeedJournal } from './feed-journal';
import type { FeedJournal } from './feed-journal';
import { createThreadedFeeds } from './feed-thread/threaded-feeds';
import { withSetFlags } from './flag-settings';
import { createLog, createSecretKeeper } from './log';
import type { Log, SecretKeeper } from './log';
import { createMetrics } from './metrics/metrics';
import type { Metrics } from './metrics/metrics';
import { once } from './once';
import { createPollLog } from './poll-log';
import { readInput } from './read-input';
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
    readInput,
  });
};

/**
 * The one runtime of this process, composed when it is first asked for.
 *
 * @throws EnvError, AuthSecretError when the environment cannot be used.
 */
export const readRuntime = (): Runtime =>
  once('runtime', () => {
    const env = parseEnv(process.env);
    const now = Date.now;
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
    const upstream = createUpstream({ env, now, log, keeper });
    const journal = createFeedJournal({ maxFleets: MAX_FLEETS });
    const metrics = env.metricsToken === null ? null : createMetrics();
    const feeds = startFeeds(env, upstream, { log, journal, metrics });
    return composeRuntime({ env, log, upstream, accounts, feeds, journal, metrics, now });
  });
