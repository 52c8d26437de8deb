import { clockOf } from '@/testing/clock';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@/lib/base/clock';
import { LiveReader } from '@/lib/live/live-reader';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { statusText } from '@/lib/view/text';
import { readUnitRow } from '@/lib/view/unit-row';
import type { ReplayFix } from '@/service/command/replay/recording';
import { registerDevices } from '@/service/command/replay/replay';
import { serveService } from '@/service/serve';
import { createService } from '@/service/service';
import { toDeviceRequest } from '@/service/simulator/device-request';
import { openStore } from '@/service/store/store';
import { createJudge, type Figures } from './judge';
import { toTrails, type Recording } from './recording';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '9000088';
/** The screen is still watched for so long after the last report. */
const WATCHED_AFTER_MS = 10 * MINUTE_MS;
const REPORTS_AT_ONCE = 16;
/** A poll that takes longer by the real clock has failed. */
const POLL_TIMEOUT_MS = 30_000;
/** "64 mph E at 9:12 AM", "parked 2 h 14 m at Nov 20, 9:12 AM". */
const DATED = / at (\w+ \d+, )?\d{1,2}:\d\d [AP]M$/;

/** The one clock of devices, service, server and browser; it moves only on command, and runs what is due. */
const createSimulatedClock = (startMs: number) => {
  let nowMs = startMs;
  let timers: { run: () => void; atMs: number }[] = [];
  const setTimer: Clock['setTimer'] = (run, delayMs) => {
    const timer = { run, atMs: nowMs + delayMs };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  };
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    setTimer,
    /** How many timers were due. */
    advance: (byMs: number): number => {
      nowMs += byMs;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const { run } of due) run();
      return due.length;
    },
  };
};

/** The service on its port, with the vehicles of a recording. */
const startService = async (databaseUrl: string, now: () => number, reports: readonly ReplayFix[]) => {
  const store = await openStore({ databaseUrl, now });
  await registerDevices(store, USDOT, 'truth', [...reports]);
  const { token } = await store.ingestTokens.create({ usdot: USDOT, name: 'truth' });
  const credentials = await store.keys.create({ usdot: USDOT, name: 'truth' });
  const service = createService({ store, now });
  const dated = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    // Else Node.js writes the real time, and the feed finds the two clocks years apart.
    response.headers.set('date', new Date(now()).toUTCString());
    return response;
  };
  const running = await serveService({ service: { fetch: dated }, port: 0, hostname: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await running.close();
    await store.close();
  };
  return { url: running.url, token, credentials, close };
};

/** Sends reports as devices do, several at once. @throws Error for one that the service refuses */
const sendReports = async (url: string, token: string, reports: readonly ReplayFix[]): Promise<void> => {
  const send = async (report: ReplayFix): Promise<void> => {
    const { url: to, init } = toDeviceRequest(`${url}/ingest`, 'osmand', [report]);
    const response = await fetch(to, { ...init, headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`Ingest answered ${response.status} to a report.`);
  };
  // A device waits for its answer before it sends again, so that its reports stay in order.
  const lanes = Array.from({ length: REPORTS_AT_ONCE }, (): ReplayFix[] => []);
  const laneOf = new Map<string, ReplayFix[]>();
  for (const report of reports) {
    const lane = laneOf.get(report.deviceId) ?? lanes[laneOf.size % REPORTS_AT_ONCE]!;
    laneOf.set(report.deviceId, lane);
    lane.push(report);
  }
  await Promise.all(
    lanes.map(async (lane) => {
      for (const report of lane) await send(report);
    }),
  );
};

/** The feed of the application on a simulated clock, and what a browser reads of it. */
const startApplication = (
  url: string,
  credentials: { apiKey: string; providerToken: string },
  clock: ReturnType<typeof createSimulatedClock>,
  pollMs: number,
) => {
  const now = clock.nowMs;
  let polls = 0;
  const failures: string[] = [];
  const client = createTrackingClient({
    fetch,
    baseUrl: url,
    credentials,
    clock: clockOf(now),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock,
    pollIntervalMs: pollMs,
    settings: { carrierPauseMs: null },
    onProblem: (_, { kind, detail }) => failures.push(`${kind}: ${detail}`),
    onPolled: () => polls++,
  });
  const answer = async (input: string | URL | Request): Promise<Response> => {
    const since = new URL(String(input), 'http://browser.invalid').searchParams.get('since');
    const { status, body } = await feeds.feed(USDOT).answer(since, 'identity');
    const headers = { date: new Date(now()).toUTCString() };
    return new Response(body === null ? null : new Uint8Array(body), { status, headers });
  };
  const reader = new LiveReader({ usdot: USDOT, fetch: answer, now, isOnline: () => true });
  return {
    reader,
    failures,
    close: () => feeds.close(),
    /** Moves the clock to the next poll, and waits for it to end. */
    step: async (): Promise<void> => {
      const before = polls;
      if (clock.advance(pollMs) === 0) return;
      const timeoutAtMs = performance.now() + POLL_TIMEOUT_MS;
      while (polls === before) {
        if (performance.now() > timeoutAtMs)
          throw new Error(`A poll took longer than ${POLL_TIMEOUT_MS} ms.`);
        await sleep(1);
      }
    },
  };
};

export interface ReplayResult {
  figures: Figures;
  units: number;
  reports: number;
  /** Reports at 0,0, which the service acknowledges and does not store. */
  withoutPosition: number;
  simulatedMs: number;
  tookMs: number;
  /** What was wrong with a poll, of each kind once. */
  failures: string[];
}

/**
 * Replays a recording through the whole path on one simulated clock that goes from poll to poll: device reports over
 * HTTP to ingest, the service on a PostgreSQL, the provider's HTTP contract, the tracking client, the feed, the live
 * answer as bytes, and the browser's reader. `databaseUrl` names an empty database.
 */
export const replay = async (
  recording: Recording,
  { databaseUrl, pollMs }: { databaseUrl: string; pollMs: number },
): Promise<ReplayResult> => {
  const startedAtMs = performance.now();
  const { reports, actual } = recording;
  const sent = toTrails(reports);
  const times = reports.map(({ fixAtMs }) => fixAtMs);
  const firstMs = times.reduce((a, b) => Math.min(a, b), Infinity);
  const lastMs = times.reduce((a, b) => Math.max(a, b), -Infinity);
  const clock = createSimulatedClock(firstMs);
  const service = await startService(databaseUrl, clock.nowMs, reports);
  const application = startApplication(service.url, service.credentials, clock, pollMs);
  const judge = createJudge(sent, actual);
  let [next, judgedAtMs] = [0, -Infinity];

  /** Reports are sent when they were made, or right after an earlier one that was made later. */
  const takeDue = (): ReplayFix[] => {
    const from = next;
    while (next < reports.length && reports[next]!.fixAtMs <= clock.nowMs()) next++;
    return reports.slice(from, next);
  };
  const judgeScreen = async (): Promise<void> => {
    const { fleet, skewMs } = await application.reader.read();
    if (!fleet) return;
    const isDue = clock.nowMs() - judgedAtMs >= MINUTE_MS;
    if (isDue) judgedAtMs = clock.nowMs();
    for (let row = 0; row < fleet.rows; row++) {
      const unit = readUnitRow(fleet, row);
      if (!unit || unit.identity.deviceId === null) continue;
      if (unit.fixAtMs !== null) judge.see(unit.identity.deviceId, unit.fixAtMs);
      if (!isDue) continue;
      const isDated = DATED.test(statusText(unit, clock.nowMs() + skewMs));
      judge.note(unit.identity.deviceId, { ...unit, isDated }, clock.nowMs());
    }
  };
  try {
    while (clock.nowMs() < lastMs + WATCHED_AFTER_MS) {
      await sendReports(service.url, service.token, takeDue());
      await application.step();
      await judgeScreen();
    }
  } finally {
    application.close();
    await service.close();
  }
  return {
    figures: judge.figures,
    units: sent.size,
    reports: reports.length,
    withoutPosition: reports.filter(({ lat, lng }) => lat === 0 && lng === 0).length,
    simulatedMs: clock.nowMs() - firstMs,
    tookMs: performance.now() - startedAtMs,
    failures: [...new Set(application.failures)],
  };
};
