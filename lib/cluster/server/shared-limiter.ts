import 'server-only';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** The Redis in which several servers count together; as RateLimiterRedis uses a client. */
export interface LimitStore {
  readonly isReady: boolean;
  readonly prefix: string;
  eval: (script: string, options: { keys: string[]; arguments: string[] }) => Promise<unknown>;
  del: (key: string) => Promise<number>;
}

interface Window {
  points: number;
  durationS: number;
  /** Counts while Redis is away. */
  alone?: RateLimiterMemory;
}

/** Counts over all servers; on this one alone while Redis is away. */
export const createSharedLimiter = (
  store: LimitStore,
  name: string,
  { points, durationS, alone = new RateLimiterMemory({ points, duration: durationS }) }: Window,
): RateLimiterRedis =>
  new RateLimiterRedis({
    storeClient: store,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `${store.prefix}limit:${name}`,
    points,
    duration: durationS,
    insuranceLimiter: alone,
  });
