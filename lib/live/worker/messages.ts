import 'server-only';
import type { Encoding } from '@/lib/live/encode/compress';
import type { PollReport } from '@/lib/live/feed/poll-report';
import type { PastProblem } from '@/lib/live/feed/problem-ring';
import type { FeedAnswer } from '@/lib/live/encode/publisher';
import type { LiveSettings } from '@/lib/live/settings';
import type { FlagSettings } from '@/lib/motion/settings';
import type { AnswerLimits } from '@/lib/tracking/limits';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { UnitDetail } from '@/lib/wire/unit';
import type { ProviderAccount } from '@/lib/config/providers';
import type { ThreadVitals } from './health';

/**
 * The part of an error that crosses threads: a structured clone of its causes may fail, and class names are
 * lost.
 */
export interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
}

export const toPlainError = (error: unknown): PlainError =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: 'Error', message: String(error), stack: undefined };

export const fromPlainError = ({ name, message, stack }: PlainError): Error =>
  Object.assign(new Error(message), { name, stack });

export interface ThreadOrder {
  /**
   * The accounts to poll with, including their secrets; none: every request goes through the main thread,
   * which has them.
   */
  providers: readonly ProviderAccount[];
  pollIntervalMs: number;
  limits: AnswerLimits;
  maxFleets: number;
  /** How a failing provider is retried, and how long an anomalous answer is quarantined. */
  feedSettings: Partial<LiveSettings>;
  /** The least pause between two look-ups of a VIN's carrier; null: none. */
  carrierPauseMs: number | null;
  /** The thresholds of the flags. */
  flagSettings: FlagSettings;
}

/** To the thread: a numbered question, or the outcome of a request that it made. */
export type ToThread =
  | { kind: 'answer'; id: number; usdot: string; since: string | null; accept: Encoding }
  | { kind: 'detail'; id: number; usdot: string; key: string }
  | { kind: 'try'; id: number; usdot: string }
  | { kind: 'carrier'; id: number; usdot: string; vin: string }
  | { kind: 'learn'; usdot: string; carrier: VinCarrier }
  | { kind: 'judge'; flags: FlagSettings }
  | { kind: 'response'; id: number; status: number; headers: [string, string][]; body: Uint8Array }
  | { kind: 'unreachable'; id: number; words: string; code: string | null };

/**
 * From the thread: the answer to a question, an update of a fleet, or a request that it cannot send itself.
 */
export type FromThread =
  | { kind: 'answered'; id: number; answer: FeedAnswer }
  | { kind: 'detailed'; id: number; detail: UnitDetail | null }
  | { kind: 'tried'; id: number; waitMs: number }
  | { kind: 'carried'; id: number; carrier: VinCarrier | null }
  | { kind: 'failed'; id: number; error: PlainError }
  | {
      kind: 'published';
      usdot: string;
      version: string;
      state: FeedState;
      salvage: SalvageReport | null;
      problems: readonly PastProblem[];
      refusedForMs: number;
    }
  | { kind: 'polled'; report: PollReport; vitals: ThreadVitals }
  | { kind: 'problem'; usdot: string; problem: FeedProblem; error: PlainError | null }
  | { kind: 'request'; id: number; url: string; headers: [string, string][] };
