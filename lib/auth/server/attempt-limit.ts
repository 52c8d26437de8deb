import 'server-only';

/** So many at once, and then so many an hour. */
interface Allowance {
  burst: number;
  perHour: number;
}

/** A whole office may sit behind one address. */
const OF_ADDRESS: Allowance = { burst: 30, perHour: 60 };
const OF_ACCOUNT: Allowance = { burst: 10, perHour: 20 };
const HOUR_MS = 3_600_000;
/** What is remembered; who is forgotten begins anew. An attacker needs that many addresses or accounts for it. */
const MAX_BUCKETS = 20_000;

interface Bucket {
  left: number;
  filledAtMs: number;
}

/**
 * A token bucket for each key, in bounded memory.
 * @param elapsed monotonic time in ms
 */
export const createBuckets = ({ burst, perHour }: Allowance, elapsed: () => number) => {
  /** In the order in which they were last used. */
  const buckets = new Map<string, Bucket>();
  return {
    /** The seconds until there is one to take, having taken one where that is 0. */
    take(key: string): number {
      const nowMs = elapsed();
      const bucket = buckets.get(key) ?? { left: burst, filledAtMs: nowMs };
      bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.filledAtMs) / HOUR_MS) * perHour);
      bucket.filledAtMs = nowMs;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!);
      if (bucket.left < 1) return Math.ceil((((1 - bucket.left) / perHour) * HOUR_MS) / 1000);
      bucket.left -= 1;
      return 0;
    },
    giveBack(key: string): void {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.left = Math.min(burst, bucket.left + 1);
    },
    forget: (key: string) => void buckets.delete(key),
  };
};

export interface Attempt {
  /** The client's network address. */
  address: string;
  /** What is tried to be reached, whether it exists or not: an e-mail address in lower case. */
  account: string;
}

export interface AttemptLimit {
  /** Notes an attempt before it is made: 0, or the seconds after which it may be made. */
  take: (attempt: Attempt) => number;
  /** The attempt was good: it does not count, and the address is known to be the account's from here on. */
  succeed: (attempt: Attempt) => void;
}

/**
 * Limits attempts to sign in, by the address that they come from and by the account that they are for; accounts that do
 * not exist are limited alike. Who guesses at an account must not lock its owner out: an address from which the account
 * was signed in to has an allowance of its own.
 */
export const createAttemptLimit = ({ elapsed }: { elapsed: () => number }): AttemptLimit => {
  const addresses = createBuckets(OF_ADDRESS, elapsed);
  const accounts = createBuckets(OF_ACCOUNT, elapsed);
  /** Pairs of account and address that went together, in the order in which they last did. */
  const known = new Set<string>();
  const toPair = ({ account, address }: Attempt) => `${address} ${account}`;
  const toAccountKey = (attempt: Attempt) => (known.has(toPair(attempt)) ? toPair(attempt) : attempt.account);

  return {
    take: (attempt) => {
      const waitS = addresses.take(attempt.address);
      return waitS > 0 ? waitS : accounts.take(toAccountKey(attempt));
    },
    succeed: (attempt) => {
      const pair = toPair(attempt);
      addresses.giveBack(attempt.address);
      if (known.has(pair)) accounts.forget(pair);
      else accounts.giveBack(attempt.account);
      known.delete(pair);
      known.add(pair);
      if (known.size > MAX_BUCKETS) known.delete(known.values().next().value!);
    },
  };
};
