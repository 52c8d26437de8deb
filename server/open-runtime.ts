import 'server-only';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '@/lib/base/clock';
import { createAlertMessages } from '@/lib/alerts/server/messages';
import { createSignIn, type SignIn, type SignInOptions } from './sign-in';
import { FleetWatches } from '@/lib/alerts/server/fleet-watches';
import { createMailer } from '@/lib/jobs/mailer';
import { readOrCreateSecret } from '@/lib/auth/server/secret';
import { type SetFlags, withSetFlags } from '@/lib/settings/server/settings';
import type { Feeds } from '@/lib/feeds/feeds';
import { ClusterFeeds } from '@/lib/cluster/server/cluster-feeds';
import { type LimitStore, createKeyLimit, createTooManyAttempts } from '@/lib/base/rate-limits';
import { ClusterConnection } from '@/lib/cluster/server/connection';
import { createDatabaseLeases } from '@/lib/cluster/server/database-leases';
import type { SharedChange } from '@/lib/cluster/server/messages';
import { composeRuntime, toMaxFleets } from './compose';
import type { SourceControl } from '@/lib/fleet-source/server/change-source';
import { setRuntime, type Runtime } from './runtime';
import { createLog, createSecretRedactor, type Log, type SecretRedactor } from '@/lib/base/log';
import {
  addEnvSecrets,
  toCarrierPauseMs,
  toPollIntervalMs,
  toRecordIntervalMs,
  withChosenSource,
  type ChosenSource,
  type Env,
} from '@/lib/config/env';
import type { LiveSettings } from '@/lib/fleet/settings';
import { createPollLog } from '@/lib/feeds/feed/feed-problem';
import { createCustomerMails } from '@/lib/customer-mails/server/customer-mails';
import { createHandoverMails } from '@/lib/handover/server/handover-mails';
import { loadPlaces } from '@/lib/handover/server/places';
import { checkProvider } from '@/lib/fleet-source/server/check-provider';
import { readStoredSource, writeStoredSource } from '@/lib/fleet-source/server/stored-source';
import { AppError } from '@/lib/base/http/problems';
import {
  APPLICATION_PART,
  ARCHIVE_PART,
  HISTORY_PART,
  JOBS_PART,
  LEASES_PART,
  openDatabase,
  type DatabasePart,
} from '@/lib/database/database';
import { migrateDatabase } from '@/lib/database/migrate';
import type { Pool } from 'pg';
import { openArchive } from '@/lib/archive/archive';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { PastFleets } from '@/lib/past/server/past-fleets';
import { QueryLimit } from '@/lib/past/server/query-limit';
import { Recorder, type RecorderOptions } from '@/lib/recording/recorder';
import { DataQuality } from '@/lib/data-quality/server/data-quality';
import { toProviderName } from '@/lib/config/providers';
import { FleetReports } from '@/lib/reports/server/fleet-reports';
import { FeedJournal } from '@/lib/feeds/worker/health';
import { ThreadedFeeds, type ThreadedFeedsOptions } from '@/lib/feeds/worker/threaded-feeds';
import type { ArrivalsQuery, ArrivalsStart } from '@/lib/rules/load-watch';
import { createCorrections } from '@/lib/proof/server/detention/corrections';
import { createReadArrivals } from '@/lib/loads/server/read-arrivals';
import { createLearning } from '@/lib/loads/server/learning';
import { createSiteScans } from '@/lib/sites/server/site-scans';
import { createVisitCounts } from '@/lib/sites/server/visit-counts';
import { readServiceWorker, readVersions, type Versions } from '@/lib/base/versions';
import { createPublicFetch, type Fetch } from '@/lib/base/http/public-fetch';
import { createMetrics, type Metrics } from '@/lib/ops/metrics/metrics';
import { Routing } from '@/lib/routing/routing';
import { removeDemoFrom } from './service/embedded-service';
import { createUpstream, type Upstream } from './service/upstream';
import { followChanges } from './shared-changes';
import { DAY_MS } from '@/lib/base/time';

interface Listeners extends Pick<
  Process,
  'cluster' | 'log' | 'metrics' | 'routing' | 'versions' | 'startedAtMs'
> {
  database: SignIn['database'];
  recorder: Recorder | null;
  watches: FleetWatches;
  readArrivals: (usdot: string, query: ArrivalsQuery) => Promise<ArrivalsStart | null>;
  journal: FeedJournal;
}

/** With the fencing numbers of their leases, where several servers share them. */
type SharedFeeds = Feeds &
  Partial<Pick<ClusterFeeds, 'fenceOf' | 'noteFenced' | 'readServers' | 'listPolled'>>;

const toFences = (feeds: () => SharedFeeds): Pick<RecorderOptions, 'fenceOf' | 'onFenced'> => ({
  fenceOf: (usdot) => feeds().fenceOf?.(usdot) ?? null,
  onFenced: (usdot) => feeds().noteFenced?.(usdot),
});

/** Whether a manager entered the provider's address, which must then be of the internet unless a setting allows more. */
const isProviderPublicOnly = ({ isSourceFixed, isPrivateAllowed }: Env): boolean =>
  !isSourceFixed && !isPrivateAllowed;

const toProviderFetch = (env: Env, fetch: Fetch): Fetch =>
  isProviderPublicOnly(env) ? createPublicFetch() : fetch;

const openLeases = (databaseUrl: string, database: SignIn['database'], log: Log) =>
  createDatabaseLeases(async () => {
    // Migrates the tables.
    await database.open();
    return openDatabase(databaseUrl, LEASES_PART, log).pool;
  });

/** Gives a feed the names of an own fleet's vehicles that were added or renamed. */
const learnChangedNames = async (
  { names }: Pick<Upstream, 'names'>,
  feeds: Pick<Feeds, 'learnNames'>,
  usdot: string,
): Promise<void> => {
  const changed = (await names?.readChanged(usdot)) ?? [];
  if (changed.length > 0) feeds.learnNames(usdot, changed);
};

/** Within this time the past of the demo is made at its first start. */
const DEMO_PAST_MS = 15_000;

/** A page that is opened before the demo is ready waits for its past. */
const toFeedSettings = ({ feedSettings, source }: Env): Env['feedSettings'] & Partial<LiveSettings> =>
  source === 'demo'
    ? { ...feedSettings, restoreGraceMs: DEMO_PAST_MS, firstAnswerMs: DEMO_PAST_MS }
    : feedSettings;

const createReadStart =
  (
    upstream: Upstream,
    {
      recorder,
      watches,
      readArrivals,
      routing,
    }: Pick<Listeners, 'recorder' | 'watches' | 'readArrivals' | 'routing'>,
  ): NonNullable<ThreadedFeedsOptions['readStart']> =>
  async (usdot, parts) => {
    if (typeof parts === 'object' && 'routes' in parts)
      return { units: null, watch: null, routes: (await routing?.findAll(parts.routes)) ?? [] };
    if (typeof parts === 'object')
      return { units: null, watch: null, arrivals: await readArrivals(usdot, parts) };
    if (parts !== 'all') return { units: null, watch: await watches.read(usdot, parts) };
    // Before it is read: what another server polled of it is not written after that.
    await recorder?.claim(usdot);
    const [units, names, watch] = await Promise.all([
      recorder?.readNewest(usdot) ?? null,
      upstream.names?.readAll(usdot),
      watches.read(usdot),
    ]);
    return { units, watch, ...(names && { names }) };
  };

const startFeeds = (env: Env, upstream: Upstream, listeners: Listeners): SharedFeeds => {
  const { cluster, log, journal, metrics, database, recorder, routing, versions, startedAtMs } = listeners;
  const { databaseUrl } = env;
  const maxFleets = toMaxFleets(env);
  const pollIntervalMs = toPollIntervalMs(env);
  const local = new ThreadedFeeds({
    config: {
      providers: env.providers,
      isPublicOnly: isProviderPublicOnly(env),
      pollIntervalMs,
      isRecorded: recorder !== null,
      isRouted: routing !== null,
      limits: env.answerLimits,
      maxFleets,
      isShared: cluster !== null,
      feedSettings: toFeedSettings(env),
      carrierPauseMs: toCarrierPauseMs(env),
      flagSettings: env.flagSettings,
    },
    fetch: upstream.forward,
    clock: systemClock,
    onPolled: (report, health, changes, watched) => {
      shared?.notePolled(report.usdot, report.tookMs);
      recorder?.note(report, changes, watched);
      journal.notePoll(report, health);
      metrics?.notePoll(report, health);
      if (report.failure === null) void learnChangedNames(upstream, local, report.usdot);
    },
    readStart: createReadStart(upstream, listeners),
    onPublished: (usdot) => shared?.notePublished(usdot),
    onProblem: createPollLog(log),
    onLost: (error) => log.error({ err: error }, 'The thread that polls has ended; it is started again.'),
  });
  const shared =
    cluster &&
    new ClusterFeeds({
      connection: cluster,
      leases: databaseUrl === null ? null : openLeases(databaseUrl, database, log),
      ...{ local, recorder, clock: systemClock, log, pollIntervalMs, maxFleets },
      recordIntervalMs: recorder && toRecordIntervalMs(env),
      about: () => ({
        name: `${hostname()}:${env.port}`,
        app: versions.app,
        build: versions.build,
        uptimeMs: Math.round(systemClock.monotonicMs() - startedAtMs),
      }),
    });
  shared?.start();
  return shared ?? local;
};

/** The recording, with a pool to write and one to read, which may be of a copy; null if fleets are not recorded. */
const openHistory = (
  env: Env,
  database: SignIn['database'],
  {
    log,
    messages,
    ...shared
  }: { log: Log; messages: Runtime['messages'] } & Pick<
    RecorderOptions,
    'stored' | 'fenceOf' | 'onFenced' | 'onRefused'
  >,
): Runtime['history'] => {
  const { databaseUrl, databaseReadUrl } = env;
  const intervalMs = toRecordIntervalMs(env);
  if (intervalMs === null || databaseUrl === null) return null;
  const openPool = async (part: DatabasePart, url = databaseUrl): Promise<Pool> => {
    // Migrates the tables.
    await database.open();
    return openDatabase(url, part, log).pool;
  };
  const open = () => openPool(HISTORY_PART);
  const archive = openArchive({
    ...env.history,
    open: () => openPool(ARCHIVE_PART),
    clock: systemClock,
    log,
    onArchived: async () => {
      await reports.keepReady();
      await quality.prune();
    },
  });
  const reader = new HistoryReader({
    open: () => openPool(HISTORY_PART, databaseReadUrl ?? databaseUrl),
    archive: archive.reader,
  });
  const figures = { reader, folder: env.history.folder, scratch: archive.scratch, clock: systemClock, log };
  const reports = new FleetReports(figures);
  const quality = new DataQuality({ ...figures, threads: reports.threads });
  return {
    recorder: new Recorder({
      open,
      providerOf: (usdot) => toProviderName(env, usdot),
      clock: systemClock,
      log,
      intervalMs,
      ...(messages && { outbox: messages.outbox }),
      ...shared,
    }),
    reader,
    past: new PastFleets(reader, log),
    reports,
    quality,
    limit: new QueryLimit(systemClock),
    archive,
  };
};

/** What jobs use once all is composed. */
interface LaterParts {
  history: () => Runtime['history'];
  proof: () => Pick<Runtime, 'proof' | 'audit'>;
  readCarrierName: (usdot: string) => Promise<string | null>;
  onLearned: (usdot: string) => void;
  heldMails: Map<string, number>;
}

/** Alerts' messages, handovers' mails and links' mails with one pool for their jobs; null if there are none of them. */
const openMessages = (
  env: Env,
  { database, linkMails }: SignIn,
  { secret, log, history, onLearned, ...later }: Pick<Process, 'secret' | 'log'> & LaterParts,
): Runtime['messages'] => {
  const { databaseUrl, publicUrl, mail } = env;
  const isRecorded = toRecordIntervalMs(env) !== null;
  if (databaseUrl === null || (!isRecorded && mail === null)) return null;
  const sendMail = mail === null ? null : createMailer(mail);
  return createAlertMessages({
    open: async () => {
      // Migrates the tables.
      await database.open();
      return openDatabase(databaseUrl, JOBS_PART, log);
    },
    secret,
    publicUrl,
    sendMail,
    mailFrom: mail?.from ?? null,
    isPrivateAllowed: env.isPrivateAllowed,
    keptMs: env.history.keptDays * DAY_MS,
    createOthers: (jobs, opened) => {
      // Jobs run after all is composed.
      const shared = { jobs, database: opened, clock: systemClock };
      const mails = linkMails === null ? [] : [linkMails];
      if (!isRecorded) return mails;
      const scans = createSiteScans({ ...shared, onLearned, reader: () => history()!.reader });
      const counts = createVisitCounts({ ...shared, onLearned, reader: () => history()!.reader });
      const learning = createLearning({
        ...{ ...shared, onLearned, log, reader: () => history()!.reader },
        threads: () => history()!.reports.threads,
        files: () => history()!.archive.learned,
      });
      const corrections = createCorrections({
        ...shared,
        proof: later.proof,
        log,
        reader: () => history()!.reader,
      });
      if (sendMail === null) return [scans, counts, learning, corrections];
      const handovers = createHandoverMails({
        ...{ ...shared, loadPlaces, sendMail, publicUrl, history: () => history()! },
        log: log.child({ part: 'handover' }),
      });
      if (publicUrl === null) return [...mails, scans, counts, learning, corrections, handovers];
      const customers = createCustomerMails({
        ...{ ...shared, secret, sendMail, publicUrl, held: later.heldMails },
        readCarrierName: later.readCarrierName,
        log: log.child({ part: 'customer mails' }),
      });
      return [...mails, scans, counts, learning, corrections, handovers, customers];
    },
    clock: systemClock,
    log: log.child({ part: 'alerts' }),
  });
};

const openSignIn = (
  env: Env,
  {
    log,
    ...rest
  }: { log: Log } & Pick<
    SignInOptions,
    'secret' | 'others' | 'jobs' | 'onFlagsSet' | 'onRulesEnded' | 'openServiceAdmin' | 'holdsOnlyDemoFleet'
  >,
): SignIn =>
  createSignIn({
    mode: env.accounts,
    databaseUrl: env.databaseUrl,
    publicUrl: env.publicUrl,
    isSecondFactorRequired: env.isSecondFactorRequired,
    ...rest,
    oidc: env.oidc,
    sendMail: env.mail === null ? null : createMailer(env.mail),
    clock: systemClock,
    log: log.child({ part: 'accounts' }),
    announce: (message) => process.stdout.write(`${message}\n`),
  });

/** A shorter text on the page is a mistake, and its redaction would hide parts of every line of the log. */
const MIN_REDACTED_CHARACTERS = 8;

/** The parts that last for the whole process, whatever the source of its fleets is. */
interface Process {
  /** As the environment names it, without the source that managers chose. */
  env: Env;
  /** Signs sessions, and seals a provider's secrets in the database. */
  secret: string;
  fetch: Fetch;
  /** The other servers that share the fleets; null: this one is alone. */
  cluster: ClusterConnection | null;
  log: Log;
  redactor: SecretRedactor;
  metrics: Metrics | null;
  /** Null: there is no routing engine. */
  routing: Routing | null;
  versions: Versions;
  serviceWorker: string | null;
  /** Monotonic time in ms. */
  startedAtMs: number;
}

/** @throws AuthSecretError */
const openProcess = (env: Env, fetch: Fetch): Process => {
  const versions = readVersions();
  const redactor = createSecretRedactor();
  const secret = env.authSecret ?? readOrCreateSecret(env.dataFolder);
  redactor.addSecret(secret);
  const log = createLog(redactor, env.logLevel);
  const { redisUrl: url } = env;
  const cluster = url === null ? null : new ClusterConnection({ url, secret, clock: systemClock, log });
  cluster?.open();
  return {
    env,
    secret,
    fetch,
    cluster,
    log,
    redactor,
    metrics: env.metricsToken === null ? null : createMetrics(versions),
    routing: env.routing && new Routing({ engine: env.routing, fetch, clock: systemClock, log }),
    versions,
    serviceWorker: readServiceWorker(),
    startedAtMs: systemClock.monotonicMs(),
  };
};

/** The feed's owner, which may be another server, reads a changed watch too. */
const withAnnouncement = (
  watch: FleetWatches,
  announce: (change: SharedChange) => void,
): Pick<FleetWatches, 'reload'> => ({
  reload: (usdot) => {
    watch.reload(usdot);
    announce({ kind: 'watch', usdot });
  },
});

/** Checks of a provider's address in a window, which begins with the first one. */
const PROVIDER_CHECKS = { points: 10, durationS: 600 };

/** The choice of the source, which a change carries to the other servers. */
const createSources = (
  { secret, fetch, redactor }: Process,
  env: Env,
  {
    control,
    database,
    announce,
    limits,
  }: {
    control: Pick<SourceControl, 'reload' | 'removeDemo'>;
    database: SignIn['database'];
    announce: (change: SharedChange) => void;
    limits: LimitStore | null;
  },
): SourceControl => {
  const checks = createKeyLimit(PROVIDER_CHECKS, limits && { store: limits, name: 'provider-checks' });
  return {
    ...control,
    reload: async () => {
      await control.reload();
      announce({ kind: 'source' });
    },
    check: async (provider, client) => {
      const waitS = await checks.take(client);
      if (waitS > 0) throw createTooManyAttempts(waitS);
      for (const secret of [provider.apiKey, provider.providerToken])
        if (secret.length >= MIN_REDACTED_CHARACTERS) redactor.addSecret(secret);
      return checkProvider(provider, { fetch, clock: systemClock, limits: env.answerLimits });
    },
    read: async () => readStoredSource((await database.open()).orm, secret),
    write: (tx, source, changed) => writeStoredSource(tx, source, { secret, ...changed }),
  };
};

const openWatches = (
  { open }: SignIn['database'],
  history: Runtime['history'],
  feeds: () => Pick<Feeds, 'reloadWatch'>,
  log: Log,
): FleetWatches =>
  new FleetWatches({
    ...{ open, clock: systemClock, log },
    recording: history && history.recorder,
    reload: (usdot) => feeds().reloadWatch(usdot),
  });

const composeSource = (
  process: Process,
  chosen: ChosenSource | undefined,
  control: Pick<SourceControl, 'reload' | 'removeDemo'>,
): Runtime => {
  const env = withChosenSource(process.env, chosen);
  const { secret, cluster, log, redactor } = process;
  const fetch = toProviderFetch(env, process.fetch);
  const limits = cluster?.limits ?? null;
  const announce = (change: SharedChange): void => void cluster?.announce(change);
  addEnvSecrets(env, redactor);
  const onFlagsSet = (set: SetFlags) =>
    feeds.setFlagSettings(withSetFlags(env.flagSettings, env.fixedFlags, set));
  const signIn = openSignIn(env, {
    log,
    secret,
    others: cluster && { announce, limits: cluster.limits },
    ...{ jobs: () => messages!.jobs, onFlagsSet },
    onRulesEnded: (usdots) => usdots.forEach(announced.reload),
    openServiceAdmin: async () => (env.providers.length > 0 ? null : upstream.openAdmin()),
    holdsOnlyDemoFleet: () => upstream.holdsOnlyDemo(),
  });
  const [{ database, applyChange }, { reload: reloadSource }] = [signIn, control];
  const upstream = createUpstream({
    ...{ env, limits, reloadSource, clock: systemClock, log, redactor },
    // The demo's devices report to this server itself.
    fetch: env.providers.length > 0 ? fetch : process.fetch,
  });
  const journal = new FeedJournal(toMaxFleets(env));
  const later = {
    ...{ history: () => history, heldMails: new Map<string, number>() },
    onLearned: (usdot: string) => announced.reload(usdot),
    readCarrierName: (usdot: string) => runtime.shares.readCarrierName(usdot),
    proof: () => runtime,
  };
  const messages = openMessages(env, signIn, { ...process, ...later });
  const recording = { log, messages, stored: upstream.stored, onRefused: (it: string) => watch.reload(it) };
  const history = openHistory(env, database, { ...recording, ...(cluster && toFences(() => feeds)) });
  const watch = openWatches(database, history, () => feeds, log);
  const readArrivals = createReadArrivals({ history, database, clock: systemClock, log });
  const listeners = { journal, database, recorder: history?.recorder ?? null, watches: watch, readArrivals };
  const feeds = startFeeds(env, upstream, { ...process, ...listeners });
  const listPolled = () => feeds.listPolled?.() ?? [];
  const stopFollowing =
    cluster &&
    followChanges(cluster, { applyChange, watch, listPolled, reload: reloadSource, clock: systemClock, log });
  const announced = withAnnouncement(watch, announce);
  const sources = createSources({ ...process, fetch }, env, { control, database, announce, limits });
  const runtime = composeRuntime({
    ...process,
    ...{ env, sources, limits, upstream, signIn, feeds, journal, history },
    ...{ outbox: messages, messages: history && messages, heldMails: later.heldMails },
    readServers: () => feeds.readServers?.() ?? null,
    readRouting: () => process.routing?.read() ?? null,
    watch: announced,
  });
  const close = () => (stopFollowing?.(), watch.close(), runtime.close());
  return { ...runtime, close };
};

/** Runs one call at a time, in the order of the calls. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

/** Reads the source that managers chose; null: the environment names it, or it is the demo. */
const createReadChosen =
  ({ env: { databaseUrl, isSourceFixed }, secret, log }: Process) =>
  async (): Promise<ChosenSource> => {
    if (isSourceFixed || databaseUrl === null) return null;
    await migrateDatabase(databaseUrl, APPLICATION_PART);
    const { pool, orm } = openDatabase(databaseUrl, APPLICATION_PART, log);
    const { source, isReadable } = await readStoredSource(orm, secret).finally(() => pool.end());
    if (!isReadable)
      log.error(
        "The provider's stored key was sealed with another AUTH_SECRET: a manager has to enter it again.",
      );
    return source;
  };

/** The runtime of this process, which is composed again whenever managers choose another source of the fleets. */
export interface OpenedRuntime extends Pick<Process, 'log' | 'metrics' | 'cluster' | 'secret'> {
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Composes the runtime of this process from the environment and the stored source of the fleets, and sets it for pages and
 * route handlers.
 * @param fetch Node's own: Next.js replaces the global one with one that caches and ties each call to a page
 * @throws AuthSecretError
 */
export const openRuntime = async (env: Env, fetch: Fetch): Promise<OpenedRuntime> => {
  const process = openProcess(env, fetch);
  const { log, metrics, cluster, secret } = process;
  const readChosen = createReadChosen(process);
  let isClosing = false;
  let replaced: Promise<unknown> = Promise.resolve();
  const closeReplaced = (old: Runtime): void => {
    const closed = old
      .close()
      .catch((error: unknown) => log.error({ err: error }, 'Closing the old fleets failed.'));
    replaced = Promise.all([replaced, closed]);
  };
  // Otherwise the runtime of an older choice could replace that of a newer one.
  const inTurn = createTurns();
  const control: Pick<SourceControl, 'reload' | 'removeDemo'> = {
    reload: () =>
      inTurn(async () => {
        const stored = await readChosen();
        if (isDeepStrictEqual(stored, chosen) && !isClosing) return;
        const next = composeSource(process, stored, control);
        await next.start();
        if (isClosing) {
          await next.close();
          throw new AppError('database-unavailable', { message: 'The server is shutting down.' });
        }
        setRuntime(next);
        closeReplaced(current);
        current = next;
        chosen = stored;
      }),
    removeDemo: () =>
      inTurn(async () => {
        if (current.env.source === 'demo') throw new AppError('demo-is-shown');
        await replaced;
        return env.databaseUrl !== null && removeDemoFrom(env.databaseUrl, systemClock, current);
      }),
  };
  let chosen = await readChosen().catch((error: unknown) => {
    log.error({ err: error }, 'The source of the fleets cannot be read now; the next request tries again.');
    return undefined;
  });
  let current = composeSource(process, chosen, control);
  setRuntime(current);
  return {
    ...{ log, metrics, cluster, secret },
    start: () => current.start(),
    close: async () => {
      isClosing = true;
      process.routing?.close();
      await Promise.all([replaced, current.close()]).finally(() => cluster?.close());
    },
  };
};
