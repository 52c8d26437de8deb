import 'server-only';

const MIB = 2 ** 20;

/** Time and size limits of an answer of the tracking API. */
export interface AnswerLimits {
  /** The time until its headers have come: connecting and waiting. */
  headersTimeoutMs: number;
  /** For the whole of it: connection, headers and body. */
  timeoutMs: number;
  /** The longest body that is read, after decompression. A fleet of 100,000 units takes about 45 MB. */
  maxAnswerBytes: number;
}

/** Shorter than a browser's timeout, and enough for a large fleet over a slow connection. */
export const DEFAULT_ANSWER_LIMITS: Readonly<AnswerLimits> = {
  headersTimeoutMs: 15_000,
  timeoutMs: 20_000,
  maxAnswerBytes: 128 * MIB,
};
