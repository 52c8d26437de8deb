import 'server-only';
import type { VinCarrier } from '@/lib/wire/carrier';

/** What the provider last said of a VIN, and how many times in a row it has named that carrier. */
export interface KnownCarrier {
  carrier: VinCarrier;
  times: number;
}

/** Which carrier each VIN is registered to, as the provider last said it, for all feeds of a process. */
export interface CarrierMemory {
  /** What was said of a VIN; null where it was not asked for, or too long ago. */
  known(vin: string): KnownCarrier | null;
  /** Remembers an answer, and tells whoever listens. */
  learn(carrier: VinCarrier): void;
  /** Whether another VIN can be remembered without letting go of one that is still believed. */
  hasRoom(): boolean;
  /** Tells of each answer until the returned function is called. */
  listen(listener: (known: KnownCarrier) => void): () => void;
}

/** Remembers answers for `carrierTtlMs`, at most `carriersKept` of them, the oldest going first. */
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
