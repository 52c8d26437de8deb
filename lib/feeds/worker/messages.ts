import 'server-only';
import type { Encoding } from '@/lib/base/http/negotiation';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import type { StoredUnit, StoredVehicle } from '@/lib/fleet/recorded-units';
import type { FeedStart } from '../feed/feed';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { WatchStart, Watched } from '@/lib/rules/fleet-watch';
import type { RetainedProblem } from '../feed/feed-condition';
import type { FeedAnswer } from '@/lib/wire/server/publisher';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { FlagSettings } from '@/lib/motion/settings';
import { TrackingError, isTrackingError } from '@/lib/tracking/errors';
import type { AnswerLimits } from '@/lib/tracking/limits';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { VinCarrier, UnitDetail } from '@/lib/wire/unit';
import type { FeedProblem, FeedState, UnitIdentity } from '@/lib/wire/fleet';
import type { ProviderAccount } from '@/lib/config/providers';
import type { ThreadHealth } from './health';

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

const toTrackingFields = ({ kind, status, retryAfterMs, code }: TrackingError): PlainError['tracking'] => ({
  kind,
  status,
  retryAfterMs,
  code,
});

export const toPlainError = (error: unknown): PlainError => {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, tracking: null };
  const { name, message, stack } = error;
  return { name, message, stack, tracking: isTrackingError(error) ? toTrackingFields(error) : null };
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
  /** Whether the changes of each poll are sent to the main thread. */
  isRecorded: boolean;
  limits: AnswerLimits;
  maxFleets: number;
  /** Whether other servers poll the fleets without an epoch. */
  isShared: boolean;
  /** How a failing provider is retried, and how long an anomalous answer is quarantined. */
  feedSettings: Partial<LiveSettings>;
  /** The least pause between two look-ups of a VIN's carrier; null: none. */
  carrierPauseMs: number | null;
  /** The thresholds of the flags. */
  flagSettings: FlagSettings;
}

/** The calls that the main thread makes to the feeds in their thread, each with its answer. */
export interface ThreadCalls {
  answer(usdot: string, since: string | null, accept: Encoding): Promise<FeedAnswer>;
  detail(usdot: string, key: string): Promise<UnitDetail | null>;
  pollOnce(usdot: string): Promise<void>;
  recordAll(usdot: string): Promise<void>;
  unitsOf(usdot: string, vehicles: readonly StoredVehicle[]): Promise<StoredUnit[]>;
  tryNow(usdot: string): Promise<number>;
  knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null>;
  closeFeed(usdot: string): Promise<void>;
}

/** To the thread: a numbered call, a setting, or the outcome of what it requested. */
export type ToThread =
  | { kind: 'call'; id: number; name: keyof ThreadCalls; args: unknown[] }
  | { kind: 'learnCarrier'; usdot: string; carrier: VinCarrier }
  | { kind: 'learnNames'; usdot: string; identities: readonly UnitIdentity[] }
  | { kind: 'setFlagSettings'; flags: FlagSettings }
  | { kind: 'setEpoch'; usdot: string; epochAtMs: number }
  | { kind: 'extend'; usdots: readonly string[]; untilMs: number }
  | { kind: 'setWatch'; usdot: string; watch: WatchStart }
  | { kind: 'start'; id: number; start: FeedStart }
  | { kind: 'response'; id: number; status: number; headers: [string, string][]; body: Uint8Array }
  | { kind: 'unreachable'; id: number; message: string; code: string | null };

/**
 * From the thread: the outcome of a call, an update of a fleet, or a request that it cannot send itself: to the provider or the recording.
 */
export type FromThread =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failed'; id: number; error: PlainError }
  | {
      kind: 'published';
      usdot: string;
      version: string;
      state: FeedState;
      salvage: SalvageReport | null;
      problems: readonly RetainedProblem[];
      refusedForMs: number;
    }
  | {
      kind: 'polled';
      report: PollReport;
      health: ThreadHealth;
      changes: PollChanges | null;
      watched: Watched | null;
    }
  | { kind: 'problem'; usdot: string; problem: FeedProblem; error: PlainError | null }
  | { kind: 'readStart'; id: number; usdot: string }
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
