import type { ServiceLog } from '../log';
import type { DemoFleet } from './demo-fleet';
import { toReportRequest } from './report';
import type { Protocol, Report } from './report';
import { createSchedule } from './schedule';

export interface SimulatorOptions {
  /** Base of the ingest endpoints, without a trailing slash: http://127.0.0.1:3000/tracking/ingest */
  ingestUrl: string;
  ingestToken: string;
  fleet: DemoFleet;
  now: () => number;
  fetch: (request: Request) => Promise<Response>;
  log: ServiceLog;
}

export interface Simulator {
  /** Ends the reports; resolves once none is under way. */
  stop(): Promise<void>;
}

/** Reports of one device, or a batch of several devices, sent in one request or one after another. */
interface Delivery {
  protocol: Protocol;
  reports: [Report, ...Report[]];
}

const TICK_MS = 500;
const AT_ONCE = 8;
const START_SPREAD_MS = 8000;
const RETRY_MS = 1000;
/** A fleet above this size reports in batches: a request for each fix would overload the service. */
const LARGE_FLEET = 2000;
const BATCH = 250;
/** Reports kept while the service cannot be reached; beyond that the oldest are dropped, as on a full device. */
const MAX_WAITING = 20_000;

/** Drives a demo fleet through the ingest endpoints, as its devices would, until it is stopped. */
export const startSimulator = (options: SimulatorOptions): Simulator => {
  const { ingestUrl, ingestToken, fleet, now, log } = options;
  const units = fleet.vehicles.length;
  const isLarge = units > LARGE_FLEET;
  let schedule = createSchedule();
  const waiting: Delivery[] = [];
  /** A signal for each delivery: one for all of them would gather a listener with every request. */
  const underWay = new Set<AbortController>();
  let isEnding = false;
  let isFailing = false;
  let pausedUntilMs = 0;
  let queuedAtMs = now();

  const sendOne = async (
    protocol: Protocol,
    reports: [Report, ...Report[]],
    signal: AbortSignal,
  ): Promise<void> => {
    const request = toReportRequest(ingestUrl, ingestToken, protocol, reports);
    const response = await options.fetch(new Request(request, { signal }));
    await response.arrayBuffer();
    // A 4xx refuses this report (a lost fix, for example); only a failure of the service is retried.
    if (response.status >= 500) throw new Error(`The ingest endpoint answered ${response.status}.`);
  };

  const run = async (delivery: Delivery, signal: AbortSignal): Promise<void> => {
    if (delivery.protocol === 'overland') return sendOne('overland', delivery.reports, signal);
    for (const report of delivery.reports) await sendOne(delivery.protocol, [report], signal);
  };

  const pump = (): void => {
    while (underWay.size < AT_ONCE && waiting.length > 0 && !isEnding && now() >= pausedUntilMs) {
      const delivery = waiting.shift()!;
      const sending = new AbortController();
      underWay.add(sending);
      run(delivery, sending.signal)
        .then(
          () => {
            if (isFailing) log.info({}, 'the simulator reaches the ingest endpoints again');
            isFailing = false;
          },
          (error: unknown) => {
            if (isEnding) return;
            if (!isFailing) log.warn({ error: String(error) }, 'the simulator cannot report; it tries again');
            isFailing = true;
            pausedUntilMs = now() + RETRY_MS;
            waiting.unshift(delivery);
          },
        )
        .finally(() => {
          underWay.delete(sending);
          pump();
        });
    }
  };

  const queueDue = (): void => {
    const atMs = now();
    // After the clock was set back, the old schedule would stay silent until the clock has caught up.
    if (atMs < queuedAtMs) begin(atMs);
    queuedAtMs = atMs;
    const batched: Report[] = [];
    for (const { unit, reportAtMs, isFirst } of schedule.takeDue(atMs)) {
      const report = fleet.reportAt(unit, reportAtMs);
      if (isLarge) batched.push(report);
      else if (isFirst)
        waiting.push({ protocol: fleet.protocolOf(unit), reports: withPrevious(unit, reportAtMs, report) });
      else waiting.push({ protocol: fleet.protocolOf(unit), reports: [report] });
      // Reports that fell due while the machine was suspended are skipped.
      const nextAtMs = fleet.nextReportAt(unit, Math.max(reportAtMs, atMs - START_SPREAD_MS));
      schedule.add({ unit, reportAtMs: nextAtMs, dueAtMs: nextAtMs, isFirst: false });
    }
    for (let at = 0; at < batched.length; at += BATCH) {
      const [first, ...others] = batched.slice(at, at + BATCH);
      if (first) waiting.push({ protocol: 'overland', reports: [first, ...others] });
    }
    const surplus = waiting.length - MAX_WAITING;
    if (surplus > 0) waiting.splice(0, surplus);
    pump();
  };

  /** The report before comes first, so that a fleet just started has something to derive from. */
  const withPrevious = (unit: number, reportAtMs: number, report: Report): [Report, ...Report[]] => {
    const previousAtMs = fleet.lastReportAt(unit, reportAtMs - 1);
    return previousAtMs === null ? [report] : [fleet.reportAt(unit, previousAtMs), report];
  };

  const begin = (atMs: number): void => {
    schedule = createSchedule();
    pausedUntilMs = 0;
    for (let unit = 0; unit < units; unit++) {
      const reportAtMs = fleet.lastReportAt(unit, atMs);
      if (reportAtMs === null) continue;
      const dueAtMs = atMs + (unit / units) * START_SPREAD_MS;
      schedule.add({ unit, reportAtMs, dueAtMs, isFirst: true });
    }
  };

  begin(queuedAtMs);
  const timer = setInterval(queueDue, TICK_MS);
  queueDue();

  return {
    async stop() {
      clearInterval(timer);
      isEnding = true;
      for (const sending of underWay) sending.abort();
      waiting.length = 0;
      while (underWay.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
};
