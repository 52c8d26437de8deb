import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Fleet } from '../fleet';
import { toLiveBytes } from '../live-bytes';
import { compress, type Encoded } from '@/lib/base/http/compress';
import type { Encoding } from '@/lib/base/http/negotiation';
import { encodeLive } from './encode';
import { toEpoch } from './versions';

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

/**
 * Keeps the last `versionsKept` versions of one epoch. Each answer is encoded and compressed once, also for
 * requests that arrive during the encoding.
 */
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
