import type { ServiceLog } from '../log';
import type { FixInput } from '../store/inputs';
import type { DemoFleet } from './demo-fleet';
import { toDeviceRequest, type DeviceProtocol, type ReportedFixes } from './device-request';

export interface SimulatorOptions {
  /** Base of the ingest endpoints, without a trailing slash: http://127.0.0.1:3000/tracking/ingest */
  ingestUrl: string;
  ingestToken: string;
  fleet: DemoFleet;
  /** The service has the newest report of each device: only those that come are sent. */
  isUpToDate?: boolean;
  now: () => number;
  fetch: (request: Request) => Promise<Response>;
  log: ServiceLog;
}

/** Reports of one device, or a batch of several devices, sent in one request or one after another. */
interface Delivery {
  protocol: DeviceProtocol;
  reports: ReportedFixes;
}

const TICK_MS = 500;
const AT_ONCE = 8;
const START_SPREAD_MS = 3000;
const RETRY_MS = 1000;
/** A fleet above this size reports in batches: a request for each fix would overload the service. */
const LARGE_FLEET = 2000;
const BATCH = 250;
/** Reports kept while the service cannot be reached; beyond that the oldest are dropped, as on a full device. */
const MAX_WAITING = 20_000;

/** Drives a demo fleet through the ingest endpoints, as its devices would, until it is stopped. */
export const startSimulator = (options: SimulatorOptions): Simulator => new FleetSimulator(options);
export type Simulator = Pick<FleetSimulator, 'stop'>;

class FleetSimulator {
  readonly #options: SimulatorOptions;
  readonly #waiting: Delivery[] = [];
  /** A signal for each delivery: a shared one would gather a listener with every request. */
  readonly #underWay = new Set<AbortController>();
  readonly #timer: NodeJS.Timeout;
  #schedule = createSchedule();
  #isEnding = false;
  #isFailing = false;
  #pausedUntilMs = 0;
  #queuedAtMs: number;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#queuedAtMs = options.now();
    this.#begin(this.#queuedAtMs, options.isUpToDate);
    this.#timer = setInterval(() => this.#queueDue(), TICK_MS);
    this.#queueDue();
  }

  /** Ends the reports; resolves once none is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isEnding = true;
    for (const sending of this.#underWay) sending.abort();
    this.#waiting.length = 0;
    while (this.#underWay.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  #begin(atMs: number, isUpToDate = false): void {
    const { fleet } = this.#options;
    const units = fleet.vehicles.length;
    this.#schedule = createSchedule();
    this.#pausedUntilMs = 0;
    for (let unit = 0; unit < units; unit++) {
      if (isUpToDate) {
        const nextAtMs = fleet.nextReportAt(unit, atMs);
        this.#schedule.add({ unit, reportAtMs: nextAtMs, dueAtMs: nextAtMs, isFirst: false });
        continue;
      }
      const reportAtMs = fleet.lastReportAt(unit, atMs);
      if (reportAtMs === null) continue;
      const dueAtMs = atMs + (unit / units) * START_SPREAD_MS;
      this.#schedule.add({ unit, reportAtMs, dueAtMs, isFirst: true });
    }
  }

  #queueDue(): void {
    const { fleet, now } = this.#options;
    const atMs = now();
    // After the clock was set back, the old schedule would stay silent until the clock has caught up.
    if (atMs < this.#queuedAtMs) this.#begin(atMs);
    this.#queuedAtMs = atMs;
    const batched: FixInput[] = [];
    for (const { unit, reportAtMs, isFirst } of this.#schedule.takeDue(atMs)) {
      const report = fleet.reportAt(unit, reportAtMs);
      if (fleet.vehicles.length > LARGE_FLEET) batched.push(report);
      else {
        const reports = isFirst ? this.#withPrevious(unit, reportAtMs, report) : ([report] as const);
        this.#waiting.push({ protocol: fleet.protocolOf(unit), reports });
      }
      // Reports that fell due while the machine was suspended are skipped.
      const nextAtMs = fleet.nextReportAt(unit, Math.max(reportAtMs, atMs - START_SPREAD_MS));
      this.#schedule.add({ unit, reportAtMs: nextAtMs, dueAtMs: nextAtMs, isFirst: false });
    }
    for (let at = 0; at < batched.length; at += BATCH) {
      const [first, ...others] = batched.slice(at, at + BATCH);
      if (first) this.#waiting.push({ protocol: 'overland', reports: [first, ...others] });
    }
    const surplus = this.#waiting.length - MAX_WAITING;
    if (surplus > 0) this.#waiting.splice(0, surplus);
    this.#pump();
  }

  /** The previous report goes first, so that speed and heading can be derived soon after the start. */
  #withPrevious(unit: number, reportAtMs: number, report: FixInput): ReportedFixes {
    const { fleet } = this.#options;
    const previousAtMs = fleet.lastReportAt(unit, reportAtMs - 1);
    return previousAtMs === null ? [report] : [fleet.reportAt(unit, previousAtMs), report];
  }

  #pump(): void {
    const { now } = this.#options;
    const canSend = () => !this.#isEnding && this.#waiting.length > 0 && now() >= this.#pausedUntilMs;
    while (this.#underWay.size < AT_ONCE && canSend()) {
      const sending = new AbortController();
      this.#underWay.add(sending);
      void this.#deliver(this.#waiting.shift()!, sending.signal).finally(() => {
        this.#underWay.delete(sending);
        this.#pump();
      });
    }
  }

  /** Sends a delivery, or puts it back at the front of the queue. */
  async #deliver(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { now, log } = this.#options;
    try {
      if (delivery.protocol === 'overland') await this.#send('overland', delivery.reports, signal);
      else for (const report of delivery.reports) await this.#send(delivery.protocol, [report], signal);
      if (this.#isFailing) log.info({}, 'the simulator reaches the ingest endpoints again');
      this.#isFailing = false;
    } catch (error) {
      if (this.#isEnding) return;
      if (!this.#isFailing) log.warn({ error: String(error) }, 'the simulator cannot report; it tries again');
      this.#isFailing = true;
      this.#pausedUntilMs = now() + RETRY_MS;
      this.#waiting.unshift(delivery);
    }
  }

  async #send(protocol: DeviceProtocol, reports: ReportedFixes, signal: AbortSignal): Promise<void> {
    const { ingestUrl, ingestToken, fetch } = this.#options;
    const { url, init } = toDeviceRequest(ingestUrl, protocol, reports);
    const headers = { ...init.headers, authorization: `Bearer ${ingestToken}` };
    const response = await fetch(new Request(url, { ...init, headers, signal }));
    await response.arrayBuffer();
    // A 4xx refuses this report for good; only a failure of the service is retried.
    if (response.status >= 500) throw new Error(`The ingest endpoint answered ${response.status}.`);
  }
}

/** A scheduled report of a unit: `reportAtMs` identifies it, `dueAtMs` is when it is sent. */
interface ScheduledReport {
  unit: number;
  reportAtMs: number;
  dueAtMs: number;
  isFirst: boolean;
}

const SLOT_MS = 250;

/** Appointments in slots of a quarter second: adding and taking cost the same however many there are. */
export const createSchedule = () => {
  const slots = new Map<number, ScheduledReport[]>();
  let earliest = Infinity;
  return {
    /** Appointments that are never due (Infinity) are forgotten. */
    add(report: ScheduledReport): void {
      if (!Number.isFinite(report.dueAtMs)) return;
      const slot = Math.ceil(report.dueAtMs / SLOT_MS);
      const held = slots.get(slot);
      if (held) held.push(report);
      else slots.set(slot, [report]);
      earliest = Math.min(earliest, slot);
    },
    /** Takes out what is due by now, in order of time. */
    takeDue(nowMs: number): ScheduledReport[] {
      const last = Math.floor(nowMs / SLOT_MS);
      if (earliest > last) return [];
      const due = [...slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
      const taken = due.flatMap((slot) => slots.get(slot)!);
      for (const slot of due) slots.delete(slot);
      earliest = slots.size === 0 ? Infinity : Math.min(...slots.keys());
      return taken;
    },
  };
};
