import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Fleet } from '../fleet';
import { toLiveBytes } from '../live-bytes';
import { compress, type Encoded } from '@/lib/base/http/compress';
import type { Encoding } from '@/lib/base/http/negotiation';
import { encodeLive } from './encode';

/** Called with the time that an answer took to encode and to compress. */
export type OnEncoded = (step: 'encode' | 'compress', tookMs: number) => void;

/** A fleet at one version; immutable once it is published. */
export interface Snapshot extends Fleet {
  /** When the next version is expected, monotonic ms. */
  nextDueAtMs: number;
}

/** The response to a browser: 304 when it holds the newest version already. */
export interface FeedAnswer {
  status: 200 | 304;
  body: Uint8Array | null;
  encoding: string | null;
  version: string;
}

interface PublisherOptions {
  versionsKept: number;
  slackMs: number;
  clock: Clock;
  onEncoded?: OnEncoded | undefined;
}

/** Keeps the last `versionsKept` versions of an epoch; concurrent requests share one encoding of each answer. */
export class Publisher {
  readonly #options: PublisherOptions;
  #versions: Snapshot[] = [];
  readonly #plain = new Map<string | null, Uint8Array>();
  readonly #encoded = new Map<string, Promise<Encoded>>();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** The newest version; null before the first. */
  current(): Snapshot | null {
    return this.#versions[this.#versions.length - 1] ?? null;
  }

  publish(snapshot: Snapshot): void {
    const epoch = toEpoch(snapshot.version);
    const sameEpoch = this.#versions.filter(({ version }) => toEpoch(version) === epoch);
    this.#versions = [...sameEpoch, snapshot].slice(-this.#options.versionsKept);
    this.#plain.clear();
    this.#encoded.clear();
  }

  /** The change from `since` to the newest version, or everything where `since` is not known. */
  async answer(since: string | null, accept: Encoding): Promise<FeedAnswer> {
    const next = this.current();
    if (!next) throw new Error('An answer was requested before the first version was published.');
    const { version } = next;
    if (since === version) return { status: 304, body: null, encoding: null, version };
    const previous = this.#versions.find((held) => held.version === since) ?? null;
    return { status: 200, ...(await this.#encode(previous, next, accept)), version };
  }

  #encode(previous: Snapshot | null, next: Snapshot, accept: Encoding): Promise<Encoded> {
    const name = `${accept} ${previous?.version ?? ''}`;
    const known = this.#encoded.get(name);
    if (known) return known;
    const bytes = this.#toBytes(previous, next);
    const startedAt = performance.now();
    const made = compress(bytes, accept);
    this.#encoded.set(name, made);
    // A failure rejects the waiting requests and is not cached.
    made.then(
      () => this.#options.onEncoded?.('compress', performance.now() - startedAt),
      () => this.#encoded.delete(name),
    );
    return made;
  }

  #toBytes(previous: Snapshot | null, next: Snapshot): Uint8Array {
    const since = previous?.version ?? null;
    const known = this.#plain.get(since);
    if (known) return known;
    const { clock, slackMs, onEncoded } = this.#options;
    const nowMs = clock.nowMs();
    const nextPollMs = Math.max(0, next.nextDueAtMs - clock.monotonicMs()) + slackMs;
    const startedAt = performance.now();
    const bytes = toLiveBytes(encodeLive(previous, next, { nowMs, nextPollMs }));
    onEncoded?.('encode', performance.now() - startedAt);
    this.#plain.set(since, bytes);
    return bytes;
  }
}

/**
 * Versions are `EPOCH.N`. An epoch begins with its time (Unix ms, base 36, eight digits), which orders those of
 * servers.
 */
const TIME_DIGITS = 8;

/** @param atMs Unix ms @param random in [0, 1) */
export const createEpoch = (atMs: number, random: number): string =>
  Math.floor(atMs).toString(36).padStart(TIME_DIGITS, '0') + Math.floor(random * 36 ** 4).toString(36);

/** The part of a version before the dot: rows keep their units within one epoch. */
export const toEpoch = (version: string): string => version.slice(0, version.lastIndexOf('.'));

/** The time of an epoch; what no server has made is older than all. */
const toTime = (epoch: string): string => (epoch.length > TIME_DIGITS ? epoch.slice(0, TIME_DIGITS) : '');

/** Whether a version is the same as another one or newer. */
export const isAtLeast = (version: string, other: string): boolean => {
  const [epoch, otherEpoch] = [toEpoch(version), toEpoch(other)];
  if (epoch === otherEpoch)
    return Number(version.slice(epoch.length + 1)) >= Number(other.slice(epoch.length + 1));
  return toTime(epoch) > toTime(otherEpoch);
};
