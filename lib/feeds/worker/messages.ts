import 'server-only';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import type { FeedStart, FeedReport, StartParts } from '../feed/feed';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { Watched } from '@/lib/rules/fleet-watch';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { FlagSettings } from '@/lib/motion/settings';
import { TrackingError, isTrackingError } from '@/lib/tracking/errors';
import type { AnswerLimits } from '@/lib/tracking/limits';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { ProviderAccount } from '@/lib/config/providers';
import type { ThreadHealth } from './health';
import type { Fetch } from '@/lib/base/http/public-fetch';
import type { Feed, MovableFeeds } from '../feeds';

/**
 * The part of an error that crosses threads: a structured clone loses its class and own fields, and may fail
 * on its causes.
 */
interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  /** The fields of a TrackingError; null for any other. */
  tracking: Pick<TrackingError, 'kind' | 'status' | 'retryAfterMs' | 'code'> | null;
}

export const toPlainError = (error: unknown): PlainError => {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, tracking: null };
  const { name, message, stack } = error;
  if (!isTrackingError(error)) return { name, message, stack, tracking: null };
  const { kind, status, retryAfterMs, code } = error;
  return { name, message, stack, tracking: { kind, status, retryAfterMs, code } };
};

export const fromPlainError = ({ name, message, stack, tracking }: PlainError): Error =>
  tracking
    ? Object.assign(new TrackingError(tracking.kind, message, tracking), { stack })
    : Object.assign(new Error(message), { name, stack });

export interface ThreadConfig {
  /**
   * The accounts to poll with, including their secrets; none: every request goes through the main thread,
   * which has them.
   */
  providers: readonly ProviderAccount[];
  /** Whether the providers may only be hosts of the internet. */
  isPublicOnly: boolean;
  pollIntervalMs: number;
  isRecorded: boolean;
  /** There is a routing engine, which the main thread asks. */
  isRouted: boolean;
  limits: AnswerLimits;
  maxFleets: number;
  /** Whether other servers poll the fleets without an epoch. */
  isShared: boolean;
  /** How a failing provider is retried, and how long an anomalous answer is quarantined. */
  feedSettings: Partial<LiveSettings>;
  /** The least pause between two look-ups of a VIN's carrier; null: none. */
  carrierPauseMs: number | null;
  flagSettings: FlagSettings;
}

/** Methods of a fleet's feed that the main thread calls in the feeds' thread. */
export const FEED_CALLS = ['answer', 'detail', 'pollOnce', 'recordAll', 'unitsOf', 'tryNow'] as const;
export type FeedCall = (typeof FEED_CALLS)[number];

/** The calls that the main thread makes to the feeds in their thread: those of a feed begin with the fleet. */
export type ThreadCalls = {
  [Name in FeedCall]: (usdot: string, ...args: Parameters<Feed[Name]>) => ReturnType<Feed[Name]>;
} & Omit<MovableFeeds, 'feed' | 'close'>;

/** To the thread: a call, or the outcome of what it requested. A call without an id has no answer. */
export type ToThread =
  | { kind: 'call'; id: number | null; name: keyof ThreadCalls; args: unknown[] }
  | { kind: 'start'; id: number; start: FeedStart }
  | { kind: 'response'; id: number; status: number; headers: [string, string][]; body: Uint8Array }
  | { kind: 'unreachable'; id: number; message: string; code: string | null };

/**
 * From the thread: the outcome of a call, an update of a fleet, or a request that it cannot send itself: to the provider or the recording.
 */
export type FromThread =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failed'; id: number; error: PlainError }
  | ({ kind: 'published'; usdot: string; version: string } & FeedReport)
  | {
      kind: 'polled';
      report: PollReport;
      health: ThreadHealth;
      changes: PollChanges | null;
      watched: Watched | null;
    }
  | { kind: 'problem'; usdot: string; problem: FeedProblem; error: PlainError | null }
  | { kind: 'readStart'; id: number; usdot: string; parts: StartParts }
  | { kind: 'request'; id: number; url: string; headers: [string, string][] };

/** Numbered messages to the other thread that wait for their outcome. */
export class PendingMessages<T> {
  readonly #pending = new Map<number, { resolve: (value: T) => void; reject: (error: Error) => void }>();
  #lastId = 0;

  send(post: (id: number) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      post(id);
    });
  }

  resolve(id: number, value: T): void {
    this.#pending.get(id)?.resolve(value);
    this.#pending.delete(id);
  }

  reject(id: number, error: Error): void {
    this.#pending.get(id)?.reject(error);
    this.#pending.delete(id);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

type Outcome = Extract<ToThread, { kind: 'response' | 'unreachable' }>;

/** A fetch for a thread that may not have the address or the secrets: the main thread sends the requests. */
export const createForwardedFetch = (
  post: (message: FromThread) => void,
): { fetch: Fetch; resolve: (outcome: Outcome) => void } => {
  const pending = new PendingMessages<Response>();
  return {
    fetch: ({ url, headers }) =>
      pending.send((id) => post({ kind: 'request', id, url, headers: [...headers] })),
    resolve: (outcome) => {
      const { id } = outcome;
      if (outcome.kind === 'unreachable') {
        const { message, code } = outcome;
        return pending.reject(id, Object.assign(new Error(message), code === null ? {} : { code }));
      }
      const { status, headers, body } = outcome;
      const bytes = status === 204 || status === 304 ? null : (body as Uint8Array<ArrayBuffer>);
      pending.resolve(id, new Response(bytes, { status, headers }));
    },
  };
};

/** The main thread's side: sends one request for the thread, and returns the message with its outcome. */
export const forwardRequest = async (
  fetch: Fetch,
  { id, url, headers }: Extract<FromThread, { kind: 'request' }>,
): Promise<ToThread> => {
  try {
    const response = await fetch(new Request(url, { headers }));
    const body = new Uint8Array(await response.arrayBuffer());
    return { kind: 'response', id, status: response.status, headers: [...response.headers], body };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { kind: 'unreachable', id, message: String(error), code: typeof code === 'string' ? code : null };
  }
};
