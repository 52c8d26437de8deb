import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { toRetryDelayMs } from '../feed/backoff';
import type { CarrierMemory } from './carrier-cache';
import { toRetryAfterMs } from '../feed/feed-problem';
import type { Schedule } from '../schedule';
import type { LiveSettings } from '../settings';

/** Looks up the carriers of a fleet's VINs, one after another, between polls. */
export interface CarrierLookups {
  /** A poll begins: the request in flight is aborted, and no other is sent. */
  hold(): void;
  /** A poll has succeeded: look-ups may run until the next one is due, by `elapsed`. */
  release(untilMs: number): void;
  /**
   * An answer about a VIN's carrier arrived: where it needs confirmation, the VIN goes before those not yet
   * requested.
   */
  noteAnswer(vin: string): void;
  close(): void;
}

const UNKNOWN = { mcNumber: null, usdot: null };
/** Classes are compared by name, because a module may be loaded twice. */
const isNotFound = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TrackingNotFoundError';

/** Once every VIN is known, the fleet is scanned again after this long for new units and expired answers. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Sends one request at a time, `carrierPauseMs` and up to `carrierJitter` of that more between two, never
 * while a poll is in flight or fails. A VIN that the provider does not know is an answer; one that would
 * change a unit's flag is requested again after `carrierAgainMs`. After a failure the provider is left alone,
 * longer each time and never shorter than its Retry-After; then the next VIN follows.
 */
export const createCarrierLookups = (options: {
  client: Pick<TrackingClient, 'readCarrier'>;
  carriers: CarrierMemory;
  /** The VINs to look up, read lazily. */
  readVins: () => Iterable<string>;
  /** Whether the answer for a VIN needs confirmation. */
  isOpen: (vin: string) => boolean;
  now: () => number;
  /** Monotonic time in ms. */
  elapsed: () => number;
  schedule: Schedule;
  /** In [0, 1). */
  random: () => number;
  settings: LiveSettings;
}): CarrierLookups => {
  const { client, carriers, readVins, isOpen, now, elapsed, schedule, random, settings } = options;
  const { carrierPauseMs, carrierJitter, carrierRetryMs, carrierAgainMs } = settings;
  let vins: Iterator<string> | null = null;
  /** VINs to be requested again, by `elapsed`, the first one due first. */
  let again: { vin: string; dueAtMs: number }[] = [];
  let untilMs = -Infinity;
  /** The end of the pause after a failure, and the end of the time in which only repeats are due. */
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

  /** Whether a VIN has no answer yet, or needs a confirmation that is overdue. */
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
