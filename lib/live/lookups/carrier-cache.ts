import 'server-only';
import type { VinCarrier } from '@/lib/wire/carrier';

/** The provider's last answer for a VIN, and how many answers in a row named that carrier. */
export interface KnownCarrier {
  carrier: VinCarrier;
  times: number;
}

/** A cache of the carrier that each VIN is registered to, shared by all feeds of a process. */
export interface CarrierMemory {
  /** The answer for a VIN; null where it was never requested or has expired. */
  known(vin: string): KnownCarrier | null;
  /** Stores an answer and notifies the listeners. */
  learn(carrier: VinCarrier): void;
  /** Whether another VIN can be stored without evicting one that has not expired. */
  hasRoom(): boolean;
  /** Calls the listener with each answer until the returned function is called. */
  listen(listener: (known: KnownCarrier) => void): () => void;
}

/** Caches answers for `carrierTtlMs`, at most `carriersKept` of them; the oldest is evicted first. */
export const createCarrierMemory = (options: {
  now: () => number;
  settings: { carrierTtlMs: number; carriersKept: number };
}): CarrierMemory => {
  const { now, settings } = options;
  const answers = new Map<string, KnownCarrier>();
  const listeners = new Set<(known: KnownCarrier) => void>();
  const isBelieved = ({ carrier }: KnownCarrier): boolean =>
    now() - carrier.askedAtMs < settings.carrierTtlMs;

  const readOldest = (): KnownCarrier | null => {
    const [oldest] = answers.values();
    return oldest ?? null;
  };

  return {
    known: (vin) => {
      const answer = answers.get(vin);
      return answer && isBelieved(answer) ? answer : null;
    },
    learn: (carrier) => {
      const before = answers.get(carrier.vin);
      const known = { carrier, times: before?.carrier.usdot === carrier.usdot ? before.times + 1 : 1 };
      answers.delete(carrier.vin);
      answers.set(carrier.vin, known);
      const oldest = readOldest();
      if (answers.size > settings.carriersKept && oldest) answers.delete(oldest.carrier.vin);
      for (const listener of listeners) listener(known);
    },
    hasRoom: () => {
      const oldest = readOldest();
      return answers.size < settings.carriersKept || (oldest !== null && !isBelieved(oldest));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
