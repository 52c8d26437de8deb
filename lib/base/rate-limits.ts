import 'server-only';
import { LRUCache } from 'lru-cache';
import { roomFor } from './cache';
import {
  RateLimiterMemory,
  RateLimiterRes,
  RateLimiterRedis,
  type IRateLimiterRedisOptions,
} from 'rate-limiter-flexible';
import { AppError } from './http/problems';

/** Attempts per window of half an hour, which starts with the first one. A whole office may share one address. */
const OF_ADDRESS = { points: 30, durationS: 1800 };
const OF_ACCOUNT = { points: 10, durationS: 1800 };
/** Least recently used keys beyond this limit are dropped: to evict one, an attacker needs that many addresses. */
const MAX_KEYS = 20_000;

/** Limits each key to `points` in a window of `durationS` seconds, in bounded memory. */
export const createKeyLimit = (
  { points, durationS }: { points: number; durationS: number },
  shared: { store: LimitStore; name: string } | null = null,
) => {
  const alone = new RateLimiterMemory({ points, duration: durationS });
  const limiter =
    shared === null ? alone : createSharedLimiter(shared.store, shared.name, { points, durationS, alone });
  // The rate limiter itself keeps every key until its window ends.
  const keys = new LRUCache<string, true>({
    ...roomFor(MAX_KEYS),
    dispose: (_, key, reason) => {
      if (reason === 'evict') void alone.delete(key);
    },
  });
  return {
    /** Consumes a point. Returns 0, or the seconds until the window ends if no point is left. */
    take: async (key: string): Promise<number> => {
      keys.set(key, true);
      try {
        await limiter.consume(key);
        return 0;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
    giveBack: async (key: string): Promise<void> => void (await limiter.reward(key)),
    forget: async (key: string): Promise<void> => void (await limiter.delete(key)),
  };
};

export const createTooManyAttempts = (retryAfterS: number): AppError => {
  const minutes = Math.ceil(retryAfterS / 60);
  const detail = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  return new AppError('too-many-attempts', { detail, retryAfterS });
};

export interface Attempt {
  address: string;
  /** The target of the attempt, which may not exist: an e-mail address in lower case. */
  account: string;
}

export interface AttemptLimit {
  /** Counts an attempt before it is made. @throws AppError 'too-many-attempts' */
  take: (attempt: Attempt) => Promise<void>;
  /** Refunds a successful attempt, and from then on gives the account its own limit at this address. */
  succeed: (attempt: Attempt) => Promise<void>;
}

/**
 * Limits sign-in attempts by client address and by account, whether or not the account exists. Guesses must not lock
 * the owner out, so an address from which the account has signed in has its own limit.
 */
export const createAttemptLimit = (name = 'sign-in', store: LimitStore | null = null): AttemptLimit => {
  const addresses = createKeyLimit(OF_ADDRESS, store && { store, name: `${name}-address` });
  const accounts = createKeyLimit(OF_ACCOUNT, store && { store, name: `${name}-account` });
  /** Pairs of account and address with a successful sign-in. */
  const known = new LRUCache<string, true>(roomFor(MAX_KEYS));
  const toPair = ({ account, address }: Attempt) => `${address} ${account}`;

  return {
    take: async (attempt) => {
      const pair = toPair(attempt);
      const waitS =
        (await addresses.take(attempt.address)) ||
        (await accounts.take(known.has(pair) ? pair : attempt.account));
      if (waitS > 0) throw createTooManyAttempts(waitS);
    },
    succeed: async (attempt) => {
      const pair = toPair(attempt);
      await addresses.giveBack(attempt.address);
      if (known.has(pair)) await accounts.forget(pair);
      else await accounts.giveBack(attempt.account);
      known.set(pair, true);
    },
  };
};

/** The Redis in which several servers count together; as RateLimiterRedis uses a client. */
export interface LimitStore {
  readonly isReady: boolean;
  readonly prefix: string;
  /** A client, an e-mail address or what else is limited, as a keyed hash: no text of theirs is in Redis. */
  toKey: (text: string) => string;
  eval: (script: string, options: { keys: string[]; arguments: string[] }) => Promise<unknown>;
  del: (key: string) => Promise<number>;
}

interface Window {
  points: number;
  durationS: number;
  /** Counts while Redis is away. */
  alone?: RateLimiterMemory;
}

/** Its keys are hashes of what is limited. */
class HashedLimiter extends RateLimiterRedis {
  readonly #toKey: LimitStore['toKey'];

  constructor(options: IRateLimiterRedisOptions, toKey: LimitStore['toKey']) {
    super(options);
    this.#toKey = toKey;
  }

  override getKey(text: string | number): string {
    return super.getKey(this.#toKey(String(text)));
  }
}

/** Counts over all servers; on this one alone while Redis is away. */
export const createSharedLimiter = (
  store: LimitStore,
  name: string,
  { points, durationS, alone = new RateLimiterMemory({ points, duration: durationS }) }: Window,
): RateLimiterRedis =>
  new HashedLimiter(
    {
      storeClient: store,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: `${store.prefix}limit:${name}`,
      points,
      duration: durationS,
      insuranceLimiter: alone,
    },
    store.toKey,
  );
