import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { toRetryDelayMs } from '../feed/backoff';
import type { CarrierMemory } from './carrier-cache';
import { toRetryAfterMs } from '../feed/feed-problem';
import type { Schedule } from '../schedule';
import type { LiveSettings } from '../settings';

/** Asks for the carriers of a fleet's VINs, one after another, in the time that polls leave. */
export interface CarrierLookups {
  /** A poll begins: what is under way is given up, and nothing is asked. */
  hold(): void;
  /** A poll has succeeded: there is time until the next one is due, by `elapsed`. */
  release(untilMs: number): void;
  /** Something was said of a VIN's carrier: where it must be said again, it is asked for before those not yet asked. */
  noteAnswer(vin: string): void;
  /** Ends it for good. */
  close(): void;
}

const UNKNOWN = { mcNumber: null, usdot: null };
/** Classes are told by name, which survives a module that was loaded twice. */
const isNotFound = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TrackingNotFoundError';

/** Once every VIN is known, the fleet is looked through again after this long: for new units, and answers grown old. */
const LOOK_AGAIN_MS = 60_000;

/**
 * One request at a time, `carrierPauseMs` and up to `carrierJitter` of that more between two, never while a
 * poll is under way or fails. A VIN that the provider does not know is an answer; one that would change a unit's
 * flag is asked for again after `carrierAgainMs`. After a failure the provider is left alone, longer each time and
 * never shorter than it asks for; then the next VIN has its turn.
 */
export const createCarrierLookups = (options: {
  client: Pick<TrackingClient, 'readCarrier'>;
  carriers: CarrierMemory;
  /** The VINs to ask for, read lazily. */
  readVins: () => Iterable<string>;
  /** Whether what is known of a VIN must be said again. */
  isOpen: (vin: string) => boolean;
  now: () => number;
  /** Milliseconds that went by, on a clock that nobody sets. */
  elapsed: () => number;
  schedule: Schedule;
  /** In [0, 1). */
  random: () => number;
  settings: LiveSettings;
}): CarrierLookups => {
  const { client, carriers, readVins, isOpen, now, elapsed, schedule, random, settings } = options;
  const { carrierPauseMs, carrierJitter, carrierRetryMs, carrierAgainMs } = settings;
  let vins: Iterator<string> | null = null;
  /** VINs to be asked for again, by `elapsed`, the first one due first. */
  let again: { vin: string; dueAtMs: number }[] = [];
  let untilMs = -Infinity;
  /** Until when the provider is left alone, and until when there is none to ask for but again. */
  let restUntilMs = -Infinity;
  let idleUntilMs = -Infinity;
  let failures = 0;
  let cancel: (() => void) | null = null;
  let underWay: AbortController | null = null;

  const takeAgain = (): string | null => {
    while (again.length > 0 && again[0]!.dueAtMs <= elapsed()) {
      const { vin } = again.shift()!;
      if (isOpen(vin)) return vin;
    }
    return null;
  };

  /** One of which nothing is known, or that was to be asked for again and could not be. */
  const isDue = (vin: string): boolean => {
    const known = carriers.known(vin);
    if (known === null) return carriers.hasRoom();
    return isOpen(vin) && now() - known.carrier.askedAtMs >= carrierAgainMs;
  };

  const takeNext = (): string | null => {
    const vin = takeAgain();
    if (vin !== null) return vin;
    if (elapsed() < idleUntilMs) return null;
    vins ??= readVins()[Symbol.iterator]();
    for (let next = vins.next(); !next.done; next = vins.next()) if (isDue(next.value)) return next.value;
    vins = null;
    idleUntilMs = elapsed() + LOOK_AGAIN_MS;
    return null;
  };

  const plan = (): void => {
    if (carrierPauseMs === null) return;
    const pauseMs = carrierPauseMs * (1 + carrierJitter * random());
    const dueAtMs = Math.min(idleUntilMs, again[0]?.dueAtMs ?? Infinity);
    const delayMs = Math.max(pauseMs, Math.max(restUntilMs, dueAtMs) - elapsed());
    cancel = elapsed() + delayMs < untilMs ? schedule(ask, delayMs) : null;
  };

  const fail = (error: unknown): void => {
    failures++;
    const askedFor = toRetryAfterMs(error);
    restUntilMs = elapsed() + toRetryDelayMs(failures, carrierRetryMs, askedFor, random(), settings);
  };

  const readOne = async (vin: string, signal: AbortSignal): Promise<void> => {
    try {
      const said = await client.readCarrier(vin, { signal });
      carriers.learn({ vin, ...said, askedAtMs: now() });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isNotFound(error)) return fail(error);
      carriers.learn({ vin, ...UNKNOWN, askedAtMs: now() });
      failures = 0;
    }
  };

  const ask = (): void => {
    cancel = null;
    const vin = takeNext();
    if (vin === null) return plan();
    const asking = new AbortController();
    underWay = asking;
    void readOne(vin, asking.signal).then(() => {
      if (underWay !== asking) return;
      underWay = null;
      plan();
    });
  };

  const hold = (): void => {
    cancel?.();
    cancel = null;
    underWay?.abort(new Error('A poll goes first.'));
    underWay = null;
    untilMs = -Infinity;
  };

  return {
    hold,
    release: (nextPollMs) => {
      hold();
      untilMs = nextPollMs;
      plan();
    },
    noteAnswer: (vin) => {
      if (carrierPauseMs !== null && isOpen(vin)) again.push({ vin, dueAtMs: elapsed() + carrierAgainMs });
    },
    close: () => {
      hold();
      vins = null;
      again = [];
    },
  };
};
