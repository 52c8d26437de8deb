import { loadavg } from 'node:os';
import { median, percentile, toSpread, type Spread } from '../support/statistics';
import type { Driver, Form } from './load/driver-process';
import type { LoadResult } from './load/load';
import { FIXES_A_LATE_ONE, VEHICLES_A_BATCH } from './load/reports';

/** A server with the load generator that reports to it. */
export interface Target {
  driver: Driver;
  port: number;
}

/** One run of a load. */
export interface Run {
  acceptedPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  mostMs: number;
  sentLateP99Ms: number;
  /** Requests that were answered by no or broken off. */
  refused: number;
  /** Requests that were due and not even sent before the run ended. */
  unsent: number;
  /** Processes that wanted a processor in the last minute, ours among them. */
  machineLoad: number;
}

/** Overland comes from a few gateways, OsmAnd from many devices. */
const CONNECTIONS = { overland: 32, osmand: 128 };
/** The target for the slowest percent. */
export const TARGET_P99_MS = 250;
/** A rate is held when this share of what was due is accepted. */
const HELD_SHARE = 0.98;

const FIXES_A_REQUEST = { overland: VEHICLES_A_BATCH * (1 + 1 / FIXES_A_LATE_ONE), osmand: 1 };

const toRun = (result: LoadResult): Run => {
  const latencyMs = Array.from(result.latencyMs);
  return {
    acceptedPerSecond: result.acknowledgedPerSecond,
    p50Ms: percentile(latencyMs, 0.5),
    p95Ms: percentile(latencyMs, 0.95),
    p99Ms: percentile(latencyMs, 0.99),
    mostMs: percentile(latencyMs, 1),
    sentLateP99Ms: percentile(Array.from(result.sentLateMs), 0.99),
    refused: result.refused,
    unsent: result.unsent,
    machineLoad: loadavg()[0]!,
  };
};

/** One run at a rate of new fixes a second (late ones come on top, in batches); null: as fast as it is answered. */
export const measureOnce = async (
  { driver, port }: Target,
  form: Form,
  fixesPerSecond: number | null,
  seconds: number,
): Promise<Run> => {
  const newFixesARequest = form === 'overland' ? VEHICLES_A_BATCH : 1;
  const requestsPerSecond = fixesPerSecond === null ? null : fixesPerSecond / newFixesARequest;
  return toRun(await driver.load(form, { port, connections: CONNECTIONS[form], seconds, requestsPerSecond }));
};

/** How many fixes a second a load sends, late ones included. */
export const toDuePerSecond = (form: Form, fixesPerSecond: number): number =>
  form === 'overland' ? (fixesPerSecond / VEHICLES_A_BATCH) * FIXES_A_REQUEST.overland : fixesPerSecond;

export const spreadOf = (runs: readonly Run[], key: keyof Run): Spread =>
  toSpread(runs.map((run) => run[key]));

export const isHeld = (runs: readonly Run[], duePerSecond: number): boolean =>
  median(runs.map(({ p99Ms }) => p99Ms)) <= TARGET_P99_MS &&
  median(runs.map(({ acceptedPerSecond }) => acceptedPerSecond)) >= duePerSecond * HELD_SHARE;
