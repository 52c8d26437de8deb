import type {
  AccountStatus,
  FeedStatus,
  ListedProblem,
  ServerStatus,
  SharingServerStatus,
} from '@/lib/status/schema';
import {
  formatAge,
  formatClock,
  formatDay,
  formatMoment,
  formatCount,
  formatDuration,
  formatWhole,
} from '@/lib/view/format';
import { MOST_DAILY_MAILS } from '@/lib/loads/mails';
import { toAcceptedAnswer } from '@/lib/view/freshness';

/** good: healthy; warn: may resolve by itself; bad: needs attention; rest: idle. */
export type Tone = 'good' | 'warn' | 'bad' | 'rest';

export interface Judgement {
  tone: Tone;
  /** Two or three words. */
  head: string;
  sentence: string;
}

/** The server's clock, which its times refer to, and its offset to the reader's clock. */
export interface ServerClock {
  nowMs: number;
  skewMs: number;
}

export type PollIntervals = Pick<ServerStatus, 'pollIntervalMs' | 'recordIntervalMs'>;

/** An answer is old once it is this many polls late. */
const MISSED_POLLS = 3;
const LEAST_LIMIT_MS = 30_000;
/** A provider that fails for longer has more than a brief outage. */
const BAD_AFTER_MS = 5 * 60_000;

const seconds = (ms: number): string => {
  const s = ms / 1000;
  if (s < 0.1) return 'less than 0.1 s';
  return `${s < 10 ? s.toFixed(1) : formatWhole(Math.round(s))} s`;
};

/** The last known state of an unreachable server, in a neutral tone. */
const asLastKnown = ({ head, sentence }: Judgement): Judgement => ({
  tone: 'rest',
  head: `Last known: ${head.charAt(0).toLowerCase()}${head.slice(1)}`,
  sentence,
});

const judgeFeedNow = (
  feed: FeedStatus,
  { nowMs, skewMs, pollIntervalMs, recordIntervalMs }: ServerClock & PollIntervals,
): Judgement => {
  const { fetchedAtMs, staleSinceMs, problem, isWatched, pollTookMs } = feed;
  const everyMs = isWatched ? pollIntervalMs : feed.recording && recordIntervalMs;
  if (everyMs === null)
    return {
      tone: 'rest',
      head: 'Resting',
      sentence:
        'No screen shows this fleet, so Linehaul does not poll it. You see the values of the last poll.',
    };
  const copy =
    fetchedAtMs === null
      ? 'Nothing has come from it yet.'
      : `The fleet shown is that of ${formatClock(fetchedAtMs - skewMs, nowMs - skewMs)}.`;
  if (staleSinceMs !== null) {
    const cause = problem?.message ?? 'The tracking provider does not answer.';
    return {
      tone: nowMs - staleSinceMs >= BAD_AFTER_MS || fetchedAtMs === null ? 'bad' : 'warn',
      head: `Failing since ${formatClock(staleSinceMs - skewMs, nowMs - skewMs)}`,
      sentence: `${cause} ${copy} Linehaul keeps trying.`,
    };
  }
  if (problem !== null) {
    const { isAnomalous, label } = toAcceptedAnswer(problem);
    return { tone: isAnomalous ? 'warn' : 'good', head: label, sentence: problem.message };
  }
  if (fetchedAtMs === null)
    return { tone: 'rest', head: 'Starting', sentence: 'Waiting for the first answer from the provider.' };
  if (nowMs - fetchedAtMs > Math.max(LEAST_LIMIT_MS, MISSED_POLLS * everyMs))
    return {
      tone: 'warn',
      head: 'Late',
      sentence: `No newer answer has come, and no failure either. ${copy}`,
    };
  const took = pollTookMs === null ? '' : `; the newest answer took ${seconds(pollTookMs)}`;
  return isWatched
    ? { tone: 'good', head: 'Live', sentence: `Polled every ${seconds(everyMs)}${took}.` }
    : {
        tone: 'good',
        head: 'Recording',
        sentence: `No screen shows this fleet. It is polled every ${seconds(everyMs)} for the recording${took}.`,
      };
};

/** How many units and VINs a feed holds, or that they have not arrived. */
export const holdingText = ({
  fetchedAtMs,
  activeUnits,
  rosterVins,
}: Pick<FeedStatus, 'fetchedAtMs' | 'activeUnits' | 'rosterVins'>): { units: string; roster: string } => ({
  units: fetchedAtMs === null ? 'none yet' : formatCount(activeUnits, 'active truck'),
  roster: rosterVins === null ? 'not read yet' : formatCount(rosterVins, 'VIN'),
});

/** The health of one feed; `isOld`: as of the server's last answer. */
export const judgeFeed = (feed: FeedStatus, clock: ServerClock & PollIntervals, isOld = false): Judgement => {
  const judgement = judgeFeedNow(feed, clock);
  return isOld ? asLastKnown(judgement) : judgement;
};

const NOT_READY_TEXT: Record<string, string> = {
  starting: 'The server is starting.',
  stopping: 'The server is shutting down.',
  noDatabase: 'The database of the embedded tracking service cannot be reached.',
  noAccounts: 'Linehaul’s database cannot be reached: sign-in is not possible.',
};

/** A server that someone should look at. */
const needsLook = (tone: Tone, sentence: string): Judgement => ({ tone, head: 'Needs a look', sentence });

const judgeServerNow = (status: ServerStatus, clock: ServerClock): Judgement => {
  const [reason] = status.notReady;
  if (reason !== undefined) {
    const sentence =
      NOT_READY_TEXT[reason] ?? `The server gives a reason that this page does not know: ${reason}.`;
    return { tone: reason === 'starting' ? 'warn' : 'bad', head: 'Not ready', sentence };
  }
  if (status.database?.state === 'full')
    return needsLook('bad', 'The database is out of room: positions that devices report are refused.');
  if (status.accountsDatabase.state === 'away')
    return needsLook(
      'bad',
      'Linehaul’s database cannot be reached: sign-in is not possible. Users who are signed in still see the map.',
    );
  const sharingProblem = status.sharing && sharingProblemText(status.sharing);
  if (sharingProblem !== null)
    return needsLook(status.sharing?.redisAwayMs === null ? 'warn' : 'bad', sharingProblem);
  const { pollIntervalMs, recordIntervalMs, accounts, routing } = status;
  const watched = status.feeds.filter(({ isWatched }) => isWatched);
  const tones = watched.map(
    (feed) => judgeFeedNow(feed, { ...clock, pollIntervalMs, recordIntervalMs }).tone,
  );
  const failing = tones.filter((tone) => tone === 'bad' || tone === 'warn').length;
  if (failing > 0)
    return needsLook(
      tones.includes('bad') ? 'bad' : 'warn',
      watched.length === 1
        ? 'The watched fleet has a problem.'
        : `${failing} of ${formatCount(watched.length, 'watched fleet')} ${failing === 1 ? 'has' : 'have'} a problem.`,
    );
  const unread = accounts.length === 1 ? [] : accounts.filter(({ problem }) => problem !== null);
  if (unread.length > 0)
    return needsLook(
      'warn',
      `${unread.length} of ${formatCount(accounts.length, 'account')} cannot be read.`,
    );
  if (status.archiveProblems.length > 0)
    return needsLook('warn', 'The archive of the recording has a problem.');
  if (routing?.state === 'away')
    return needsLook('warn', 'The routing engine does not answer: arrival windows stand on other ways.');
  return {
    tone: 'good',
    head: 'All well',
    sentence:
      watched.length === 0
        ? 'The server is ready. No fleet is open on any screen just now.'
        : `The server is ready, and ${watched.length === 1 ? 'the watched fleet is' : `all ${watched.length} watched fleets are`} up to date.`,
  };
};

/** The health of the whole server in one line; `isOld`: as of its last answer. */
export const judgeServer = (status: ServerStatus, clock: ServerClock, isOld = false): Judgement => {
  const judgement = judgeServerNow(status, clock);
  return isOld ? asLastKnown(judgement) : judgement;
};

/** One account as text: its carrier, its fleet if that differs, and why it cannot be read. */
export const accountText = ({ usdot, account, problem }: AccountStatus, ofHowMany: number): string => {
  const isForOther = ofHowMany > 1 && usdot !== null && usdot !== account?.usdot;
  const fleet = isForOther ? `For USDOT ${usdot}: ` : '';
  if (account === null) return `${fleet}${problem ?? 'loading…'}`;
  const old = problem === null ? '' : ` (not renewed: ${problem})`;
  return `${fleet}${account.companyName}, USDOT ${account.usdot}, company ${account.companyId}${old}`;
};

/** The database as text: which one, and its problem. */
export const databaseText = (
  {
    source,
    database: ofService,
    accountsDatabase,
    versions,
  }: Pick<ServerStatus, 'source' | 'database' | 'accountsDatabase' | 'versions'>,
  { nowMs, skewMs }: ServerClock,
): string => {
  const isOfAccounts = source === 'provider' || ofService === null;
  const database = isOfAccounts ? accountsDatabase : ofService;
  const name = versions.database === null ? 'PostgreSQL' : `PostgreSQL ${versions.database}`;
  const since =
    database.sinceMs === null ? '' : ` since ${formatMoment(database.sinceMs - skewMs, nowMs - skewMs)}`;
  const code = database.code === null ? '' : ` (${database.code})`;
  if (isOfAccounts && database.state !== 'away') return `${name}: users, recording, sites and alerts`;
  if (database.state === 'away') return `${name}, out of reach${since}${code}`;
  if (database.state === 'full') return `${name}, out of room${since}: no report is taken${code}`;
  return name;
};

const ENGINE_NAMES: Readonly<Record<string, string>> = { osrm: 'OSRM', valhalla: 'Valhalla' };

/** Whether the routing engine answers, and what it was asked. */
export const routingText = (
  {
    engine,
    state,
    sinceMs,
    reason,
    found,
    none,
    failed,
    skipped,
    tookMs,
  }: NonNullable<ServerStatus['routing']>,
  { nowMs, skewMs }: ServerClock,
): string => {
  const name = ENGINE_NAMES[engine] ?? engine;
  if (state === 'unknown') return `${name}: not asked yet, as no load under way needed it`;
  const counts = [
    formatCount(found, 'way'),
    none > 0 ? `${formatWhole(none)} without a way` : '',
    failed > 0 ? `${formatWhole(failed)} failed` : '',
    skipped > 0 ? `${formatWhole(skipped)} not asked` : '',
  ];
  const asked = counts.filter(Boolean).join(', ');
  if (state === 'away') {
    const since = sinceMs === null ? '' : ` since ${formatMoment(sinceMs - skewMs, nowMs - skewMs)}`;
    return `${name} does not answer${since}: ${reason ?? 'no reason is known'}. It is tried again. ${asked}`;
  }
  return `${name} answers${tookMs === null ? '' : `, the newest in ${seconds(tookMs)}`}: ${asked}`;
};

/** "2:03 PM to 2:09 PM, 6 min", "since 2:03 PM, 12 min so far"; unwatched: "from 2:03 PM, as of its last poll". */
export const spanText = (
  { sinceMs, untilMs }: ListedProblem,
  { nowMs, skewMs }: ServerClock,
  isWatched = true,
): string => {
  const reader = nowMs - skewMs;
  const from = formatMoment(sinceMs - skewMs, reader);
  if (untilMs === null && !isWatched) return `from ${from}, as of its last poll`;
  if (untilMs === null) return `since ${from}, ${formatDuration(nowMs - sinceMs)} so far`;
  const to = formatMoment(untilMs - skewMs, reader);
  const lasted = formatDuration(untilMs - sinceMs);
  return from === to ? `${from}, ${lasted}` : `${from} to ${to}, ${lasted}`;
};

/** Fields of an answer that were dropped or repaired; null if there are none. */
export const salvageText = (salvage: FeedStatus['salvage']): string | null => {
  if (salvage === null || salvage.dropped + salvage.repaired === 0) return null;
  const parts = [
    salvage.dropped === 0 ? null : `${formatCount(salvage.dropped, 'record')} left out`,
    salvage.repaired === 0 ? null : `${formatCount(salvage.repaired, 'field')} repaired`,
  ];
  return parts.filter((part) => part !== null).join(', ');
};

/** Since when a fleet is recorded, and when that was last written: names and texts. */
export const recordingFacts = (
  { recording }: Pick<FeedStatus, 'recording'>,
  { nowMs, skewMs }: ServerClock,
): [name: string, text: string][] => {
  if (recording === null) return [['Recorded', 'no']];
  const { sinceMs, writtenAtMs } = recording;
  return [
    ['Recorded since', sinceMs === null ? 'not known yet' : formatMoment(sinceMs - skewMs, nowMs - skewMs)],
    ['Last recorded', writtenAtMs === null ? 'not since the start' : `${formatAge(nowMs - writtenAtMs)} ago`],
  ];
};

/** That mails to customers wait: a name and a text; nothing where they do not. */
export const heldMailFacts = (
  { mailsHeldUntilMs }: Pick<FeedStatus, 'mailsHeldUntilMs'>,
  { nowMs, skewMs }: ServerClock,
): [name: string, text: string][] =>
  mailsHeldUntilMs === null
    ? []
    : [
        [
          'Mails to customers',
          `waiting: ${formatWhole(MOST_DAILY_MAILS)} were sent within 24 hours; more go out from ${formatMoment(mailsHeldUntilMs - skewMs, nowMs - skewMs)}`,
        ],
      ];

/** "214 MB", "1.2 GB". */
export const bytesText = (bytes: number): string =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** Whether fleets are recorded, the size of that on disk, and since when. */
export const recordedText = (
  {
    recordIntervalMs,
    recordedBytes,
    archivedFromMs,
  }: Pick<ServerStatus, 'recordIntervalMs' | 'recordedBytes' | 'archivedFromMs'>,
  { nowMs, skewMs }: ServerClock,
): string => {
  if (recordIntervalMs === null) return 'off';
  const size = recordedBytes === null ? '' : `, ${bytesText(recordedBytes)} on disk`;
  const day =
    archivedFromMs === null ? '' : `, oldest day ${formatDay(archivedFromMs - skewMs, nowMs - skewMs)}`;
  return `on${size}${day}`;
};

/** Where the server has its fleets from. */
export const sourceText = (source: ServerStatus['source'], accounts: number): string => {
  if (source === 'demo') return 'the demo, inside this server';
  if (source === 'own') return 'the tracking service inside this server';
  if (source === null) return 'not known yet: the database cannot be read';
  return accounts === 1
    ? 'an external tracking provider'
    : `external tracking providers, with ${accounts} accounts`;
};

/** A server beats once a second; its fleets are another's after this time without a heartbeat. */
const SILENT_MS = 4000;
/** More USDOT numbers than this would hide the other columns. */
const MOST_NAMED = 8;

type Sharing = NonNullable<ServerStatus['sharing']>;

const isSilent = ({ silentMs }: SharingServerStatus): boolean => silentMs >= SILENT_MS;

/** Whether a server shares in the work now, as text; `isBroken`: someone should look at it. */
export const sharingStateText = (
  server: SharingServerStatus,
  { redisAwayMs }: Pick<Sharing, 'redisAwayMs'>,
): { text: string; isBroken: boolean } => {
  if (server.isThis)
    return redisAwayMs === null
      ? { text: 'Connected', isBroken: false }
      : { text: `No Redis for ${formatAge(redisAwayMs)}`, isBroken: true };
  // Without Redis this server learns nothing of the others.
  if (redisAwayMs !== null) return { text: `As of ${formatAge(server.silentMs)} ago`, isBroken: false };
  return isSilent(server)
    ? { text: `No heartbeat for ${formatAge(server.silentMs)}`, isBroken: true }
    : { text: 'Connected', isBroken: false };
};

/** Why the servers need a look, in a sentence; null if they do not. */
export const sharingProblemText = ({ redisAwayMs, servers }: Sharing): string | null => {
  if (redisAwayMs !== null)
    return `This server cannot reach Redis: other servers poll its fleets, and it shows their last versions from before.`;
  const silent = servers.filter(isSilent).length;
  if (silent === 0) return null;
  const are = silent === 1 ? 'gives' : 'give';
  return `${silent} of ${formatCount(servers.length, 'server')} ${are} no heartbeat: the others poll its fleets.`;
};

/** The name of the server that answers, where several share the fleets. */
export const ownNameText = ({ servers }: Sharing): string | null =>
  servers.find(({ isThis }) => isThis)?.report?.name ?? null;

/** The fleets of a server that the viewer may see, the first by their USDOT numbers; null where there are none. */
export const sharingFleetsText = ({ usdots }: SharingServerStatus): string | null => {
  if (usdots.length === 0) return null;
  const rest = usdots.length - MOST_NAMED;
  const named = usdots.slice(0, MOST_NAMED).join(', ');
  return rest > 0 ? `USDOT ${named} and ${formatWhole(rest)} more` : `USDOT ${named}`;
};

/** A delay that a server stated, which says nothing once that is old. */
export const statedDelayText = (server: SharingServerStatus, delay: 'lagMs' | 'echoMs'): string => {
  const ms = server.report?.[delay] ?? null;
  return ms === null || isSilent(server) ? 'Not known' : delayText(ms);
};

/** A short time with a digit below ten seconds: "3 ms", "0.4 s", "12 s". */
const delayText = (ms: number): string => {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatAge(ms);
};
