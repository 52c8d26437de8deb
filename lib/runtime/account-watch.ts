import 'server-only';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { toProblem } from './respond';

export interface KnownAccount {
  account: CarrierAccount | null;
  /** Why it is not known, in words; null where it is, or was not asked for yet. */
  problem: string | null;
}

/** Neither a provider that fails nor one that answers is asked more often on account of who looks. */
const ASK_AGAIN_MS = 60_000;

/** What is known of the account at once; it is asked for in the background as it is looked at. */
export const createAccountWatch = (options: {
  read: () => Promise<CarrierAccount>;
  elapsed: () => number;
}): (() => KnownAccount) => {
  const { read, elapsed } = options;
  let known: KnownAccount = { account: null, problem: null };
  let askAtMs = -Infinity;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      known = { account: await read(), problem: null };
    } catch (error) {
      const { detail, title } = toProblem(error);
      // The account that was known stays: carriers do not vanish because a call fails.
      known = { ...known, problem: detail ?? title };
    }
    askAtMs = elapsed() + ASK_AGAIN_MS;
    isAsking = false;
  };

  return () => {
    if (!isAsking && elapsed() >= askAtMs) void ask();
    return known;
  };
};
