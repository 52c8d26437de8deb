import { describe, expect, it } from 'vitest';
import type { FeedStatus, ServerStatus } from './schema';
import { formatDay, formatMoment, formatTime } from '../view/format';
import {
  accountText,
  bytesText,
  databaseText,
  heldMailFacts,
  holdingText,
  judgeFeed,
  judgeServer,
  routingText,
  recordedText,
  recordingFacts,
  salvageText,
  spanText,
} from './text';
import { MINUTE_MS } from '@/lib/base/time';

const NOW_MS = Date.UTC(2026, 1, 3, 18, 0, 0);
const CLOCK = { nowMs: NOW_MS, skewMs: 0 };

const FEED: FeedStatus = {
  usdot: '9000001',
  isWatched: true,
  recording: null,
  fetchedAtMs: NOW_MS - 4000,
  staleSinceMs: null,
  problem: null,
  newestFixAtMs: NOW_MS - 9000,
  activeUnits: 390,
  rosterVins: 400,
  viewers: 2,
  mailsHeldUntilMs: null,
  pollTookMs: 430,
  salvage: null,
  problems: [],
};
const PROBLEM = { kind: 'network', message: 'It cannot be reached.', detail: 'ECONNREFUSED', sinceMs: 0 };
const STATUS: ServerStatus = {
  nowMs: NOW_MS,
  startedAtMs: NOW_MS - MINUTE_MS,
  source: 'provider',
  pollIntervalMs: 10_000,
  recordIntervalMs: null,
  recordedBytes: null,
  archivedFromMs: null,
  archiveProblems: [],
  notReady: [],
  database: null,
  accountsDatabase: { state: 'ok', sinceMs: 0, code: null },
  routing: null,
  sharing: null,
  versions: { app: '0.1.0', build: 'b', node: '20', database: null },
  memory: { residentBytes: 2e8, heapUsedBytes: 6e7, threadHeapUsedBytes: null },
  accounts: [{ usdot: null, account: null, problem: null }],
  feeds: [FEED],
};

const judge = (changes: Partial<FeedStatus>) =>
  judgeFeed({ ...FEED, ...changes }, { ...CLOCK, pollIntervalMs: 10_000, recordIntervalMs: 30_000 });

describe('judgeFeed', () => {
  it('names a healthy feed, with the provider’s response time', () => {
    expect(judge({})).toEqual({
      tone: 'good',
      head: 'Live',
      sentence: 'Polled every 10 s; the newest answer took 0.4 s.',
    });
    expect(judge({ pollTookMs: 12 }).sentence).toContain('took less than 0.1 s.');
  });

  it('names a failure by the text of its problem, and the age of the shown fleet', () => {
    const failing = judge({ staleSinceMs: NOW_MS - MINUTE_MS, problem: PROBLEM });
    expect(failing.tone).toBe('warn');
    expect(failing.head).toBe(`Failing since ${formatTime(NOW_MS - MINUTE_MS)}`);
    expect(failing.sentence).toBe(
      `It cannot be reached. The fleet shown is that of ${formatTime(NOW_MS - 4000)}. Linehaul keeps trying.`,
    );
    expect(judge({ staleSinceMs: NOW_MS - 6 * MINUTE_MS, problem: PROBLEM }).tone).toBe('bad');
    const longMs = NOW_MS - 1440 * MINUTE_MS;
    const long = { ...FEED, staleSinceMs: longMs, fetchedAtMs: longMs, problem: PROBLEM };
    const judgement = judgeFeed(long, { ...CLOCK, pollIntervalMs: 10_000, recordIntervalMs: null }, true);
    expect(judgement.head).toMatch(/^Last known: failing since Feb 2, \d{1,2}:\d\d [AP]M$/);
    expect(judgement.sentence).toMatch(/ is that of Feb 2, \d{1,2}:\d\d [AP]M\./);
  });

  it('does not claim a fleet that never arrived', () => {
    const failing = judge({ staleSinceMs: NOW_MS - 1000, fetchedAtMs: null, problem: PROBLEM });
    expect(failing.tone).toBe('bad');
    expect(failing.sentence).toContain('Nothing has come from it yet.');
    expect(judge({ fetchedAtMs: null })).toMatchObject({ tone: 'rest', head: 'Starting' });
  });

  it('accepts a list that was short for long enough, as the map does', () => {
    const problem = { ...PROBLEM, kind: 'drop', message: 'It lists no truck any more.' };
    expect(judge({ problem })).toEqual({ tone: 'good', head: 'Live', sentence: problem.message });
    const status = { ...STATUS, feeds: [{ ...FEED, problem }] };
    expect(judgeServer(status, CLOCK)).toMatchObject({ tone: 'good', head: 'All well' });
  });

  it('shows the last known state of an unreachable server as neutral', () => {
    const now = { ...CLOCK, pollIntervalMs: 10_000, recordIntervalMs: null };
    expect(judgeFeed(FEED, now, true)).toMatchObject({ tone: 'rest', head: 'Last known: live' });
    expect(judgeServer(STATUS, CLOCK, true)).toMatchObject({ tone: 'rest', head: 'Last known: all well' });
  });

  it('names the anomaly of an accepted answer', () => {
    expect(judge({ problem: PROBLEM })).toEqual({
      tone: 'warn',
      head: 'Unusual',
      sentence: 'It cannot be reached.',
    });
    expect(judge({ problem: { ...PROBLEM, kind: 'unusable' } }).head).toBe('Partly read');
  });

  it('marks an answer older than three polls as late, although no poll failed', () => {
    expect(judge({ fetchedAtMs: NOW_MS - 29_000 }).head).toBe('Live');
    expect(judge({ fetchedAtMs: NOW_MS - 31_000 })).toMatchObject({ tone: 'warn', head: 'Late' });
  });

  it('marks an unwatched fleet as idle, whatever its last state', () => {
    expect(judge({ isWatched: false, staleSinceMs: 1, problem: PROBLEM })).toMatchObject({
      tone: 'rest',
      head: 'Resting',
    });
  });
});

describe('accountWords', () => {
  const ACCOUNT = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };
  const WHOSE = 'Mesa Verde Lines, USDOT 9100001, company MVL-1';

  it('names each account’s carrier, and its fleet if that differs', () => {
    expect(accountText({ usdot: null, account: ACCOUNT, problem: null }, 1)).toBe(WHOSE);
    expect(accountText({ usdot: '9100001', account: ACCOUNT, problem: null }, 2)).toBe(WHOSE);
    expect(accountText({ usdot: '9100002', account: ACCOUNT, problem: null }, 2)).toBe(
      `For USDOT 9100002: ${WHOSE}`,
    );
  });

  it('names why an account cannot be read, and its last known carrier', () => {
    const problem = 'It refuses.';
    expect(accountText({ usdot: null, account: null, problem: null }, 1)).toBe('loading…');
    expect(accountText({ usdot: '9100002', account: null, problem }, 2)).toBe(
      'For USDOT 9100002: It refuses.',
    );
    expect(accountText({ usdot: '9100001', account: ACCOUNT, problem }, 2)).toBe(
      `${WHOSE} (not renewed: It refuses.)`,
    );
  });

  it('warns about the whole server if one of several accounts cannot be read', () => {
    const good = { usdot: '9100001', account: ACCOUNT, problem: null };
    const bad = { usdot: '9100002', account: null, problem: 'It refuses.' };
    expect(judgeServer({ ...STATUS, accounts: [good, bad] }, CLOCK)).toEqual({
      tone: 'warn',
      head: 'Needs a look',
      sentence: '1 of 2 accounts cannot be read.',
    });
    expect(judgeServer({ ...STATUS, accounts: [bad] }, CLOCK).head).toBe('All well');
  });
});

describe('judgeServer', () => {
  it('warns about the archive', () => {
    const archiveProblems = ['Archive: a file is missing.'];
    expect(judgeServer({ ...STATUS, archiveProblems }, CLOCK)).toEqual({
      tone: 'warn',
      head: 'Needs a look',
      sentence: 'The archive of the recording has a problem.',
    });
  });

  it('counts the watched fleets that have a problem', () => {
    expect(judgeServer(STATUS, CLOCK)).toMatchObject({ tone: 'good', head: 'All well' });
    const failing = { ...FEED, staleSinceMs: NOW_MS - 6 * MINUTE_MS, problem: PROBLEM };
    const resting = { ...failing, isWatched: false };
    expect(judgeServer({ ...STATUS, feeds: [FEED, failing, resting] }, CLOCK)).toEqual({
      tone: 'bad',
      head: 'Needs a look',
      sentence: '1 of 2 watched fleets has a problem.',
    });
    expect(judgeServer({ ...STATUS, feeds: [failing] }, CLOCK).sentence).toBe(
      'The watched fleet has a problem.',
    );
    expect(judgeServer({ ...STATUS, feeds: [resting] }, CLOCK).sentence).toContain('No fleet is open');
  });

  it('names why the server is not ready, also for an unknown reason', () => {
    expect(judgeServer({ ...STATUS, notReady: ['noDatabase'] }, CLOCK).sentence).toContain('database');
    expect(judgeServer({ ...STATUS, notReady: ['sunspots'] }, CLOCK)).toMatchObject({ tone: 'bad' });
  });
});

it('shows when a problem occurred and how long it lasted', () => {
  const problem = {
    ...PROBLEM,
    sinceMs: NOW_MS - 10 * MINUTE_MS,

    times: 9,
    untilMs: null,
  };
  expect(spanText(problem, CLOCK)).toMatch(/^since \d{1,2}:\d\d [AP]M, 10 min so far$/);
  expect(spanText({ ...problem, untilMs: NOW_MS - 4 * MINUTE_MS }, CLOCK)).toMatch(
    /^\d{1,2}:\d\d [AP]M to \d{1,2}:\d\d [AP]M, 6 min$/,
  );
  expect(spanText({ ...problem, untilMs: problem.sinceMs + 5000 }, CLOCK)).toMatch(
    /^\d{1,2}:\d\d [AP]M, 5 s$/,
  );
});

it('counts dropped and repaired fields, and is empty if there are none', () => {
  expect(salvageText({ dropped: 1, repaired: 1200, examples: [] })).toBe(
    '1 record left out, 1,200 fields repaired',
  );
  expect(salvageText({ dropped: 0, repaired: 1, examples: [] })).toBe('1 field repaired');
  expect(salvageText({ dropped: 0, repaired: 0, examples: [] })).toBeNull();
  expect(salvageText(null)).toBeNull();
});

it('says that mails to customers wait only where they do', () => {
  expect(heldMailFacts({ mailsHeldUntilMs: null }, CLOCK)).toEqual([]);
  expect(heldMailFacts({ mailsHeldUntilMs: NOW_MS + MINUTE_MS }, CLOCK)[0]![1]).toMatch(
    /^waiting: 5,000 were sent within 24 hours; more go out from \d{1,2}:\d\d [AP]M$/,
  );
});

it('names the database, and since when it is unreachable or full', () => {
  const versions = { ...STATUS.versions, database: '18.4' };
  const textOf = (state: string) =>
    databaseText(
      { ...STATUS, source: 'own', versions, database: { state, sinceMs: NOW_MS, code: 'ECONNREFUSED' } },
      CLOCK,
    );
  expect(textOf('ok')).toBe('PostgreSQL 18.4');
  expect(textOf('away')).toMatch(
    /^PostgreSQL 18\.4, out of reach since \d{1,2}:\d\d [AP]M \(ECONNREFUSED\)$/,
  );
  expect(textOf('full')).toMatch(/out of room since \d{1,2}:\d\d [AP]M: no report is taken/);
  expect(databaseText(STATUS, CLOCK)).toContain(': users, recording, sites and alerts');
  const accountsDatabase = { state: 'away', sinceMs: NOW_MS, code: 'ECONNREFUSED' };
  expect(databaseText({ ...STATUS, accountsDatabase }, CLOCK)).toMatch(/out of reach since .*ECONNREFUSED/);
  expect(judgeServer({ ...STATUS, accountsDatabase }, CLOCK).sentence).toContain('sign-in is not possible');
  const full = { state: 'full', sinceMs: NOW_MS, code: null };
  expect(judgeServer({ ...STATUS, database: full }, CLOCK)).toMatchObject({ tone: 'bad' });
});

it('shows memory in the unit that fits', () => {
  expect(bytesText(214_300_000)).toBe('214 MB');
  expect(bytesText(1_230_000_000)).toBe('1.2 GB');
});

it('shows no count before the first answer', () => {
  expect(holdingText(FEED)).toEqual({ units: '390 active trucks', roster: '400 VINs' });
  expect(holdingText({ ...FEED, fetchedAtMs: null, activeUnits: 0, rosterVins: null })).toEqual({
    units: 'none yet',
    roster: 'not read yet',
  });
  expect(holdingText({ ...FEED, activeUnits: 0 }).units).toBe('0 active trucks');
});

it('does not state how long an unwatched fleet has failed', () => {
  const problem = { ...PROBLEM, sinceMs: NOW_MS - 10 * MINUTE_MS, untilMs: null, times: 3 };
  expect(spanText(problem, CLOCK, false)).toMatch(/^from \d{1,2}:\d\d [AP]M, as of its last poll$/);
});

it('says whether the routing engine answers, since when not and why', () => {
  const counts = { found: 1204, none: 0, failed: 0, skipped: 0, tookMs: 24 };
  const good = { engine: 'osrm', state: 'ok', sinceMs: NOW_MS, reason: null, ...counts };
  expect(routingText(good, CLOCK)).toBe('OSRM answers, the newest in less than 0.1 s: 1,204 ways');
  expect(judgeServer({ ...STATUS, routing: good }, CLOCK).head).toBe('All well');
  const away = {
    ...good,
    engine: 'valhalla',
    state: 'away',
    reason: 'it answered 500',
    failed: 3,
    skipped: 9,
  };
  expect(routingText(away, CLOCK)).toBe(
    `Valhalla does not answer since ${formatMoment(NOW_MS, NOW_MS)}: it answered 500. It is tried again. 1,204 ways, 3 failed, 9 not asked`,
  );
  expect(judgeServer({ ...STATUS, routing: away }, CLOCK)).toMatchObject({ tone: 'warn' });
  const idle = { ...good, state: 'unknown', found: 0 };
  expect(routingText(idle, CLOCK)).toContain('not asked yet');
});

describe('recording', () => {
  const recording = { sinceMs: NOW_MS - 30 * MINUTE_MS, writtenAtMs: NOW_MS - 8000 };

  it('is polled more seldom while no screen shows the fleet', () => {
    expect(judge({ isWatched: false, recording })).toEqual({
      tone: 'good',
      head: 'Recording',
      sentence:
        'No screen shows this fleet. It is polled every 30 s for the recording; the newest answer took 0.4 s.',
    });
    expect(judge({ isWatched: false, recording, fetchedAtMs: NOW_MS - 80_000 }).head).toBe('Recording');
    expect(judge({ isWatched: false, recording, fetchedAtMs: NOW_MS - 100_000 }).head).toBe('Late');
  });

  it('has its beginning, its last write and its size', () => {
    const since = ['Recorded since', '5:30 PM'];
    expect(recordingFacts({ recording: null }, CLOCK)).toEqual([['Recorded', 'no']]);
    expect(recordingFacts({ recording }, CLOCK)).toEqual([since, ['Last recorded', '8 s ago']]);
    expect(recordingFacts({ recording: { ...recording, writtenAtMs: null } }, CLOCK)).toEqual([
      since,
      ['Last recorded', 'not since the start'],
    ]);
    expect(recordedText(STATUS, CLOCK)).toBe('off');
    const on = { recordIntervalMs: 30_000, recordedBytes: null, archivedFromMs: null };
    expect(recordedText(on, CLOCK)).toBe('on');
    expect(recordedText({ ...on, recordedBytes: 2e8 }, CLOCK)).toBe('on, 200 MB on disk');
    const archivedFromMs = Date.UTC(2026, 10, 23, 5);
    expect(recordedText({ ...on, recordedBytes: 2e8, archivedFromMs }, CLOCK)).toBe(
      `on, 200 MB on disk, oldest day ${formatDay(archivedFromMs, NOW_MS)}`,
    );
  });
});
