import 'server-only';
import type { SignIn } from './sign-in';
import { resolveWithin, systemClock, type Clock } from '@/lib/base/clock';
import type { LimitStore } from '@/lib/base/rate-limits';
import type { Env } from '@/lib/config/env';
import { createBoundedClient } from '@/lib/tracking/client';
import type { AccountState } from '@/lib/status/server/server-status';
import type { Runtime } from './runtime';
import { type Feeds, requireAccount, type TrackingAccount } from '@/lib/feeds/feeds';
import { LimitedFeeds } from '@/lib/feeds/limited-feeds';
import { Viewers } from '@/lib/feeds/viewers';
import type { OpenedDemoPast } from './service/demo-past';
import { WatchedFleets, type WatchedFleetsOptions } from '@/lib/feeds/watched-fleets';
import type { FeedJournal } from '@/lib/feeds/worker/health';
import { createMapSources } from '@/lib/map/server/map-sources';
import { optimizeForSize } from '@/lib/base/process/thread';
import { createMailer } from '@/lib/jobs/mailer';
import type { Log } from '@/lib/base/log';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import type { Versions } from '@/lib/base/versions';
import type { NotReadyReason } from '@/lib/status/schema';
import { readTaggedUnits } from '@/lib/access/unit-limit';
import { MOST_MC_CHARACTERS } from '@/lib/proof/content';
import type { ProofServer } from '@/lib/proof/server/documents';
import type { VinCarrier } from '@/lib/wire/unit';
import type { ShareReader } from '@/lib/shares/server/read-share';
import { createAccountProbe, createDatabaseProbe, type DatabaseProbe } from './probes';
import { createProviderAnswers } from './provider-answers';
import { createReadCarrierName, openShareReader } from './share-reader';
import type { Upstream } from './service/upstream';

const MAX_FLEETS = 32;
const MAX_SHARED_FLEETS = 1000;
/** Limits on fleets that are neither configured nor known to the provider: for all viewers, and for one. */
const MAX_UNKNOWN_FLEETS = 16;
const MAX_UNKNOWN_FLEETS_PER_VIEWER = 8;
/** Feeds stop polling after about a minute without a reader. */
const FLEET_IDLE_MS = 90_000;

/** Fleets that one server polls at once, or that each of several answers for, which polls its share of them. */
export const toMaxFleets = ({ redisUrl }: Pick<Env, 'redisUrl'>): number =>
  redisUrl === null ? MAX_FLEETS : MAX_SHARED_FLEETS;

interface ComposeOptions {
  env: Env;
  /** Derives the tokens of links. */
  secret: string;
  sources: Runtime['sources'];
  log: Log;
  versions: Versions;
  serviceWorker: string | null;
  upstream: Upstream;
  signIn: SignIn;
  feeds: Feeds;
  /** Where several servers count together; null: there is no other server. */
  limits?: LimitStore | null;
  journal: FeedJournal;
  readServers: Runtime['readServers'];
  readRouting: Runtime['readRouting'];
  heldMails: Runtime['heldMails'];
  /** Null if fleets are not recorded. */
  history: Runtime['history'];
  watch?: Runtime['watch'];
  messages: Runtime['messages'];
  /** Sends them, and mails where there are no messages; null: there is nothing to send. */
  outbox?: Runtime['messages'];
  metrics: Metrics | null;
  /** When the process started, as monotonic time in ms. */
  startedAtMs: number;
  clock?: Clock;
}

const createFeedLists = (
  fleets: Runtime['fleets'],
  { feeds, journal, readServers }: ComposeOptions,
  listRecorded: () => string[],
): Pick<Runtime, 'listFeeds' | 'listPolled'> => {
  const listWith = (usdots: readonly string[]): ReturnType<Runtime['listFeeds']> => {
    const watched = fleets.list().map((each) => ({ ...each, isWatched: true }));
    const known = new Set(watched.map(({ usdot }) => usdot));
    const others = usdots.filter((usdot) => !known.has(usdot));
    return [...watched, ...others.map((usdot) => ({ usdot, feed: feeds.feed(usdot), isWatched: false }))];
  };
  return {
    listFeeds: () => listWith(journal.usdots()),
    listPolled: () => listWith(readServers()?.servers.find(({ isThis }) => isThis)?.usdots ?? listRecorded()),
  };
};

const createLimit = ({ database }: SignIn, clock: Clock): WatchedFleetsOptions['limit'] => {
  const limited = new LimitedFeeds({
    readUnits: async (usdot, tags) => readTaggedUnits((await database.open()).orm, usdot, tags),
    clock,
  });
  return (feed, usdot, tags) => limited.limit(feed, usdot, tags);
};

const probeDatabase = ({ database }: SignIn, clock: Clock): DatabaseProbe =>
  createDatabaseProbe({
    query: async () => void (await (await database.open()).pool.query('select 1')),
    clock,
  });

/** The state of each account, which is refreshed in the background. */
const createPeekAccounts = (
  sources: readonly TrackingAccount[],
  readAccount: (index: number) => ReturnType<Runtime['readAccount']>,
  { clock, log }: { clock: Clock; log: Log },
): (() => AccountState[]) => {
  const probes = sources.map(({ usdot }, index) =>
    createAccountProbe({
      read: () => readAccount(index),
      clock,
      onProblem: ({ code }, error) =>
        log.warn({ usdot, code, reason: String(error) }, 'The account of a provider could not be read.'),
    }),
  );
  return () => sources.map(({ usdot }, index) => ({ usdot, ...probes[index]!() }));
};

/** Why requests should go elsewhere while the process runs. */
const listDatabaseReasons = (
  upstream: Upstream,
  { auth: { mode } }: SignIn,
  accountsDatabase: DatabaseProbe,
): NotReadyReason[] => {
  if (upstream.readDatabase()?.state === 'away') return ['noDatabase'];
  // Users known to this process still see the map; if the database was never reached, no user is known.
  const isAway = mode === 'required' && accountsDatabase.read().state === 'away';
  return isAway && !accountsDatabase.wasReached() ? ['noAccounts'] : [];
};

/** The fleets that are recorded: the configured ones, or where none is, those that the accounts name as their own. */
const createListRecorded = (
  { env, upstream, history }: ComposeOptions,
  peekAccounts: () => unknown,
  ownUsdots: ReadonlySet<string>,
): (() => string[]) => {
  const configured = [env.homeUsdot, ...upstream.accounts.map(({ usdot }) => usdot)];
  const usdots = new Set(configured.filter((usdot) => usdot !== null));
  return () => {
    if (history === null) return [];
    if (usdots.size > 0) return [...usdots];
    // Reads the accounts in the background.
    peekAccounts();
    return [...ownUsdots];
  };
};

/** Starts the recording. The demo's fleet has answered then: the first page has a complete map. */
const startRecorder = async (
  options: ComposeOptions,
  listUsdots: () => string[],
  answers: Pick<ReturnType<typeof createProviderAnswers>, 'readAccount'>,
): Promise<void> => {
  const { feeds, history } = options;
  // Only now: collecting garbage this often would have made the demo's past a quarter slower.
  optimizeForSize();
  history?.recorder.start({
    listUsdots,
    pollOnce: (usdot) => feeds.feed(usdot).pollOnce(),
    recordAll: (usdot) => feeds.feed(usdot).recordAll(),
    unitsOf: (usdot, vehicles) => feeds.feed(usdot).unitsOf(vehicles),
  });
  history?.archive.archiver.start();
  if (options.env.source === 'demo') await answerFirst(options, answers);
};

/** Waits for the first answer about the only account's fleet. Never rejects. */
const answerFirst = async (
  { feeds, log }: ComposeOptions,
  { readAccount }: Pick<ReturnType<typeof createProviderAnswers>, 'readAccount'>,
): Promise<void> => {
  try {
    const { usdot } = await readAccount(0);
    await feeds.feed(usdot).answer(null, 'identity');
  } catch (error) {
    log.warn({ reason: String(error) }, 'The fleet has not answered yet.');
  }
};

/** Gives the demo fleet its past before the first page and the recording; the code of the service is loaded only for it. */
const recordPast = async (
  { env, history, feeds, log, secret, watch, signIn: { database } }: ComposeOptions,
  clock: Clock,
): Promise<OpenedDemoPast | null> => {
  if (history === null || env.source !== 'demo' || env.demoHistoryHours === 0) return null;
  const { openDemoPast } = await import('./service/demo-past');
  const reload = (usdot: string) => watch?.reload(usdot);
  return openDemoPast(history.recorder, env, history.reader, {
    ...{ feeds, log, secret, clock, database, reload },
  });
};

/** The clients of pages and routes; the feeds have their own. */
const boundClients = (
  { env: { pageCallsPerS: callsPerS }, upstream, limits = null }: ComposeOptions,
  clock: Clock,
) =>
  upstream.accounts.map(({ client, ...account }, index) => {
    if (callsPerS === null) return { ...account, client };
    const shared = limits && { store: limits, name: `page-calls-${index}` };
    return { ...account, client: createBoundedClient(client, { callsPerS, clock, shared }) };
  });

const openAll = async (
  options: ComposeOptions,
  accountsDatabase: DatabaseProbe,
  clock: Clock,
): Promise<OpenedDemoPast | null> => {
  const { upstream, signIn, outbox } = options;
  await Promise.all([upstream.start(), signIn.start().then(accountsDatabase.check)]);
  outbox?.start();
  return recordPast(options, clock);
};

/** A provider that is slow delays no document by more. */
const CARRIER_WITHIN_MS = 1000;

const createProof = (
  { secret, env: { publicUrl, mail } }: Pick<ComposeOptions, 'secret' | 'env'>,
  named: Parameters<typeof createReadCarrierName>[0],
  readVinCarrier: Runtime['readVinCarrier'],
): ProofServer => {
  const readName = createReadCarrierName(named);
  const readCarrierSoon: ProofServer['readVinCarrier'] = async (usdot, vin) => {
    let found: VinCarrier | null = null;
    const reading = readVinCarrier(usdot, vin).then(
      (carrier) => (found = carrier),
      () => null,
    );
    await resolveWithin(reading, CARRIER_WITHIN_MS, named.clock);
    return found;
  };
  return {
    secret,
    sendMail: mail === null ? null : createMailer(mail),
    readVinCarrier: readCarrierSoon,
    readIssuer: async (usdot, vin) => {
      const [name, truck] = await Promise.all([
        readName(usdot),
        vin === null ? null : readCarrierSoon(usdot, vin),
      ]);
      // A truck of another carrier has that one's number.
      const given = truck?.usdot === usdot ? truck.mcNumber : null;
      const mc = given !== null && given.length <= MOST_MC_CHARACTERS ? given : null;
      return { carrier: name ?? `USDOT ${usdot}`, usdot, mc, installation: publicUrl ?? '' };
    },
  };
};

const closeAll = async (
  { feeds, history, outbox, upstream, signIn }: ComposeOptions,
  shares: ShareReader,
): Promise<void> => {
  await shares.close();
  await feeds.close();
  await Promise.all([history?.recorder.close(), outbox?.close()]);
  history?.reports.close();
  await history?.reader.close();
  await history?.archive.close();
  await Promise.all([upstream.close(), signIn.close()]);
};

const pickUpstream = ({ readDatabaseVersion, serve, openAdmin, readDatabase }: Upstream) => ({
  ...{ readDatabaseVersion, serveTracking: serve, openServiceAdmin: openAdmin, readDatabase },
});

export const composeRuntime = (options: ComposeOptions): Runtime => {
  const { upstream, signIn, feeds, outbox: _, startedAtMs, clock = systemClock, ...shared } = options;
  const { env } = options;
  const sources = boundClients(options, clock);
  const maxFleets = toMaxFleets(env);
  const answers = createProviderAnswers({ accounts: sources, feeds, clock, maxFleets });
  const { readVinCarrier, readRoster, readUnit } = answers;
  const isOfAccount = (usdot: string): boolean => sources.some((source) => source.usdot === usdot);
  const fleets = new WatchedFleets({
    feeds,
    limit: createLimit(signIn, clock),
    requireFleet: (usdot) => requireAccount(sources, usdot),
    isConfigured: (usdot) => usdot === env.homeUsdot || answers.ownUsdots.has(usdot) || isOfAccount(usdot),
    clock,
    max: maxFleets,
    maxUnknown: MAX_UNKNOWN_FLEETS,
    maxUnknownPerViewer: MAX_UNKNOWN_FLEETS_PER_VIEWER,
    maxOpenedPerS: env.pageCallsPerS,
    shared: options.limits ? { store: options.limits, name: 'fleet-openings' } : null,
    idleMs: FLEET_IDLE_MS,
  });
  const peekAccounts = createPeekAccounts(sources, answers.readAccount, { clock, log: options.log });
  const listRecorded = createListRecorded(options, peekAccounts, answers.ownUsdots);
  const accountsDatabase = probeDatabase(signIn, clock);
  const named = { sources, answers, clock };
  const shares = openShareReader(options, named);
  const proof = createProof(options, named, readVinCarrier);
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let demo: OpenedDemoPast | null = null;

  return {
    ...{ ...shared, ...signIn, ...createFeedLists(fleets, options, listRecorded) },
    readUptimeMs: () => Math.round(clock.monotonicMs() - startedAtMs),
    map: createMapSources({ env, clock, log: options.log }),
    ...{ fleets, shares, proof, clock },
    viewers: new Viewers(FLEET_IDLE_MS, clock),
    readNotReady: () => [
      ...(phase === 'running' ? [] : [phase]),
      ...listDatabaseReasons(upstream, signIn, accountsDatabase),
    ],
    hasFleet: (usdot) => sources.length === 1 || isOfAccount(usdot),
    ...pickUpstream(upstream),
    readAccount: () => answers.readAccount(0),
    ...{ peekAccounts, readVinCarrier, readRoster, readUnit },
    readAccountsDatabase: accountsDatabase.read,
    start: async () => {
      demo = await openAll(options, accountsDatabase, clock);
      // Before the first viewer: several fleets have their names, and the log has any fault of an account.
      if (sources.length > 1) peekAccounts();
      if (phase !== 'starting') return demo?.stop();
      await startRecorder(options, listRecorded, answers);
      phase = 'running';
      demo?.goOn();
    },
    close: async () => {
      phase = 'stopping';
      await demo?.stop();
      await closeAll(options, shares);
    },
  };
};
