import 'server-only';
import { RateLimiterMemory, RateLimiterRedis, type IRateLimiterRedisOptions } from 'rate-limiter-flexible';

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
