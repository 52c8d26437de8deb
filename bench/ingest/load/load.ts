import { openConnection, type Connection } from './connection';
import type { Ledger } from './ledger';
import type { ToRequest } from './reports';

export interface LoadPlan {
  port: number;
  connections: number;
  seconds: number;
  /** Requests a second, each due at its own moment; null: each connection sends as soon as it was answered. */
  requestsPerSecond: number | null;
}

export interface LoadResult {
  requests: number;
  /** Fixes that were acknowledged, and how many that is a second. */
  acknowledged: number;
  acknowledgedPerSecond: number;
  refused: number;
  /** Requests that were due and could not even be sent before the load ended. */
  unsent: number;
  /** Milliseconds from when each request was due to its acknowledgment; for the unsent, to the end. */
  latencyMs: Float64Array;
  /** Milliseconds by which requests were sent late. */
  sentLateMs: Float64Array;
}

/** How long a load that has fallen behind may go on sending what was due. */
const CATCH_UP_MS = 3_000;
const TICK_MS = 1;

/** Sends requests on the plan's schedule, whether or not earlier ones were answered, and waits for the answers. */
export const runLoad = async (plan: LoadPlan, toRequest: ToRequest, ledger: Ledger): Promise<LoadResult> => {
  const { requestsPerSecond, seconds } = plan;
  const idle: Connection[] = await Promise.all(
    Array.from({ length: plan.connections }, () => openConnection(plan.port)),
  );
  const all = [...idle];
  const latencyMs: number[] = [];
  const sentLateMs: number[] = [];
  const total = requestsPerSecond === null ? Infinity : Math.round(requestsPerSecond * seconds);
  const startMs = Date.now();
  const endMs = startMs + seconds * 1000;
  const cutOffMs = requestsPerSecond === null ? endMs : endMs + CATCH_UP_MS;
  // Monotonic and finer than Date.now(), from which its origin is taken so that fix times are real ones.
  const originMs = startMs - performance.now();
  const nowMs = () => originMs + performance.now();
  const dueAtMs = (index: number) =>
    requestsPerSecond === null ? nowMs() : startMs + (index * 1000) / requestsPerSecond;

  let sent = 0;
  let answered = 0;
  let acknowledged = 0;
  let refused = 0;
  let lastAnswerMs = startMs;

  const sendOn = (connection: Connection): void => {
    const index = sent++;
    const dueMs = dueAtMs(index);
    const request = toRequest(index, dueMs);
    sentLateMs.push(nowMs() - dueMs);
    connection.send(request.text, (status) => {
      lastAnswerMs = nowMs();
      answered++;
      latencyMs.push(lastAnswerMs - dueMs);
      if (status === 200) {
        acknowledged += request.units.length;
        ledger.acknowledge(request);
      } else {
        refused++;
        ledger.refuse(request);
      }
      idle.push(connection);
      sendDue();
    });
  };
  const sendDue = (): void => {
    while (idle.length > 0 && sent < total && nowMs() < cutOffMs && dueAtMs(sent) <= nowMs())
      // In turn: a connection that is left idle for some seconds is closed by the server, as HTTP lets it.
      sendOn(idle.shift()!);
  };

  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      sendDue();
      const isSent = sent >= total || nowMs() >= cutOffMs;
      if (!isSent || answered < sent) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  for (const connection of all) connection.close();

  const unsent = Number.isFinite(total) ? total - sent : 0;
  for (let index = sent; index < sent + unsent; index++) latencyMs.push(lastAnswerMs - dueAtMs(index));
  return {
    requests: sent,
    acknowledged,
    acknowledgedPerSecond: acknowledged / Math.max(seconds, (lastAnswerMs - startMs) / 1000),
    refused,
    unsent,
    latencyMs: Float64Array.from(latencyMs),
    sentLateMs: Float64Array.from(sentLateMs),
  };
};
