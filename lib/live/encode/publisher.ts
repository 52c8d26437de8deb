import 'server-only';
import type { Fleet } from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { compress } from './compress';
import type { Encoded, Encoding } from './compress';
import { encodeLive } from './encode';
import type { OnEncoded } from '../feed/poll-report';

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

export interface Publisher {
  /** The newest version; null before the first. */
  current(): Snapshot | null;
  publish(snapshot: Snapshot): void;
  /** The change from `since` to the newest version, or everything where `since` is not known. */
  answer(since: string | null, accept: Encoding): Promise<FeedAnswer>;
}

/** The part of a version before the dot: rows keep their units within one epoch. */
const toEpoch = (version: string): string => version.slice(0, version.lastIndexOf('.'));

/**
 * Keeps the last `versionsKept` versions of one epoch. Each answer is encoded and compressed once, also for
 * requests that arrive during the encoding.
 */
export const createPublisher = ({
  versionsKept,
  slackMs,
  now,
  elapsed,
  onEncoded,
}: {
  versionsKept: number;
  slackMs: number;
  now: () => number;
  elapsed: () => number;
  onEncoded?: OnEncoded;
}): Publisher => {
  let versions: Snapshot[] = [];
  const plain = new Map<string | null, Uint8Array>();
  const encoded = new Map<string, Promise<Encoded>>();

  const current = (): Snapshot | null => versions[versions.length - 1] ?? null;

  const toBytes = (previous: Snapshot | null, next: Snapshot): Uint8Array => {
    const since = previous?.version ?? null;
    const known = plain.get(since);
    if (known) return known;
    const nowMs = now();
    const nextPollMs = Math.max(0, next.nextDueAtMs - elapsed()) + slackMs;
    const startedAt = performance.now();
    const bytes = toLiveBytes(encodeLive(previous, next, { nowMs, nextPollMs }));
    onEncoded?.('encode', performance.now() - startedAt);
    plain.set(since, bytes);
    return bytes;
  };

  const encode = (previous: Snapshot | null, next: Snapshot, accept: Encoding): Promise<Encoded> => {
    const name = `${accept} ${previous?.version ?? ''}`;
    const known = encoded.get(name);
    if (known) return known;
    const bytes = toBytes(previous, next);
    const startedAt = performance.now();
    const made = compress(bytes, accept);
    encoded.set(name, made);
    // A failure rejects the waiting requests and is not cached.
    made.then(
      () => onEncoded?.('compress', performance.now() - startedAt),
      () => encoded.delete(name),
    );
    return made;
  };

  return {
    current,

    publish: (snapshot) => {
      const epoch = toEpoch(snapshot.version);
      const sameEpoch = versions.filter(({ version }) => toEpoch(version) === epoch);
      versions = [...sameEpoch, snapshot].slice(-versionsKept);
      plain.clear();
      encoded.clear();
    },

    answer: async (since, accept) => {
      const next = current();
      if (!next) throw new Error('Asked for an answer before the first version was published.');
      const { version } = next;
      if (since === version) return { status: 304, body: null, encoding: null, version };
      const previous = versions.find((held) => held.version === since) ?? null;
      return { status: 200, ...(await encode(previous, next, accept)), version };
    },
  };
};
