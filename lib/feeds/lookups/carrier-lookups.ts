import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import type { TrackingClient } from '@/lib/tracking/client';
import { isTrackingError } from '@/lib/tracking/errors';
import { toRetryAfterMs, toRetryDelayMs } from '../feed/feed-problem';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { KnownCarrier } from '@/lib/fleet/unit/unit-record';
import { Listeners } from '@/lib/base/listeners';
import type { VinCarrier } from '@/lib/wire/unit';

/**
 * The carrier that each VIN is registered to, shared by all feeds of an account: answers of the last
 * `carrierTtlMs`, at most `carriersKept` of them; the oldest is evicted first.
 */
export class CarrierCache {
  readonly #settings: Pick<LiveSettings, 'carrierTtlMs' | 'carriersKept'>;
  readonly #clock: Clock;
  readonly #answers: LRUCache<string, KnownCarrier>;
  readonly #listeners = new Listeners<[KnownCarrier]>();

  constructor(settings: Pick<LiveSettings, 'carrierTtlMs' | 'carriersKept'>, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#answers = new LRUCache({ max: settings.carriersKept });
  }

  /** The answer for a VIN; null where it was never requested or has expired. */
  known(vin: string): KnownCarrier | null {
    const answer = this.#answers.peek(vin);
    return answer && this.#isFresh(answer) ? answer : null;
  }

  learn(carrier: VinCarrier): void {
    const before = this.#answers.peek(carrier.vin);
    const known = { carrier, times: before?.carrier.usdot === carrier.usdot ? before.times + 1 : 1 };
    this.#answers.set(carrier.vin, known);
    this.#listeners.notify(known);
  }

  /** Whether another VIN can be stored without evicting one that has not expired. */
  hasRoom(): boolean {
    const [oldest] = this.#answers.rvalues();
    return this.#answers.size < this.#settings.carriersKept || oldest === undefined || !this.#isFresh(oldest);
  }

  listen(listener: (known: KnownCarrier) => void): () => void {
    return this.#listeners.add(listener);
  }

  #isFresh({ carrier }: KnownCarrier): boolean {
    return this.#clock.nowMs() - carrier.requestedAtMs < this.#settings.carrierTtlMs;
  }
}

export interface CarrierLookupsOptions {
  client: Pick<TrackingClient, 'readCarrier'>;
  carriers: CarrierCache;
  /** The VINs to look up, read lazily. */
  readVins: () => Iterable<string>;
  isOpen: (vin: string) => boolean;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  settings: LiveSettings;
}

const UNKNOWN = { mcNumber: null, usdot: null };

/** Once every VIN is known, the fleet is scanned again after this long for new units and expired answers. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Looks up the carriers of a fleet's VINs between polls: one request at a time, `carrierPauseMs` and up to
 * `carrierJitter` of that more between two, never while a poll is in flight or fails. A VIN that the provider
 * does not know is an answer; one that would change a unit's flag is requested again after `carrierRepeatMs`.
 * After a failure it pauses, longer each time and never shorter than the Retry-After, and continues with the
 * next VIN.
 */
export class CarrierLookups {
  readonly #options: CarrierLookupsOptions;
  readonly #clock: Clock;
  #vins: Iterator<string> | null = null;
  /** VINs to be requested again, monotonic ms, the first one due first. */
  #repeats: { vin: string; dueAtMs: number }[] = [];
  #untilMs = -Infinity;
  /** The end of the pause after a failure, and the end of the time in which only repeats are due. */
  #restUntilMs = -Infinity;
  #idleUntilMs = -Infinity;
  #failures = 0;
  #cancel: (() => void) | null = null;
  #inFlight: { vin: string; isAgain: boolean; controller: AbortController } | null = null;
  /** The VIN whose request a poll aborted, which goes first after it; not twice, because one may always take too long. */
  #aborted: string | null = null;

  constructor(options: CarrierLookupsOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** A poll begins: the request in flight is aborted, and no other is sent. */
  hold(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#inFlight !== null) {
      const { vin, isAgain, controller } = this.#inFlight;
      this.#aborted = isAgain ? null : vin;
      controller.abort(new Error('A poll goes first.'));
      this.#inFlight = null;
    }
    this.#untilMs = -Infinity;
  }

  /** A poll has succeeded: look-ups may run until the next one is due, monotonic ms. */
  release(untilMs: number): void {
    this.hold();
    this.#untilMs = untilMs;
    this.#plan();
  }

  /**
   * An answer about a VIN's carrier arrived: where it needs confirmation, the VIN goes before those not yet
   * requested.
   */
  noteAnswer(vin: string): void {
    const { settings, isOpen } = this.#options;
    if (settings.carrierPauseMs === null || !isOpen(vin)) return;
    this.#repeats.push({ vin, dueAtMs: this.#clock.monotonicMs() + settings.carrierRepeatMs });
  }

  close(): void {
    this.hold();
    this.#aborted = null;
    this.#vins = null;
    this.#repeats = [];
  }

  #takeRepeat(): string | null {
    while (this.#repeats.length > 0 && this.#repeats[0]!.dueAtMs <= this.#clock.monotonicMs()) {
      const { vin } = this.#repeats.shift()!;
      if (this.#options.isOpen(vin)) return vin;
    }
    return null;
  }

  /** Whether a VIN has no answer yet, or needs a confirmation that is overdue. */
  #isDue(vin: string): boolean {
    const { carriers, isOpen, settings } = this.#options;
    const known = carriers.known(vin);
    if (known === null) return carriers.hasRoom();
    return isOpen(vin) && this.#clock.nowMs() - known.carrier.requestedAtMs >= settings.carrierRepeatMs;
  }

  #takeNext(): string | null {
    const vin = this.#takeRepeat();
    if (vin !== null) return vin;
    if (this.#clock.monotonicMs() < this.#idleUntilMs) return null;
    const vins = (this.#vins ??= this.#options.readVins()[Symbol.iterator]());
    for (let next = vins.next(); !next.done; next = vins.next())
      if (this.#isDue(next.value)) return next.value;
    this.#vins = null;
    this.#idleUntilMs = this.#clock.monotonicMs() + LOOK_AGAIN_MS;
    return null;
  }

  #plan(): void {
    const { random, settings } = this.#options;
    if (settings.carrierPauseMs === null) return;
    const atMs = this.#clock.monotonicMs();
    const pauseMs = settings.carrierPauseMs * (1 + settings.carrierJitter * random());
    const dueAtMs = Math.min(this.#idleUntilMs, this.#repeats[0]?.dueAtMs ?? Infinity);
    const delayMs = Math.max(pauseMs, Math.max(this.#restUntilMs, dueAtMs) - atMs);
    const isInTime = atMs + delayMs < this.#untilMs;
    this.#cancel = isInTime ? this.#clock.setTimer(() => this.#sendNext(), delayMs) : null;
  }

  #sendNext(): void {
    this.#cancel = null;
    const again = this.#aborted;
    this.#aborted = null;
    const vin = again ?? this.#takeNext();
    if (vin === null) return this.#plan();
    const controller = new AbortController();
    this.#inFlight = { vin, isAgain: again !== null, controller };
    void this.#readOne(vin, controller.signal).then(() => {
      if (this.#inFlight?.controller !== controller) return;
      this.#inFlight = null;
      this.#plan();
    });
  }

  async #readOne(vin: string, signal: AbortSignal): Promise<void> {
    const { client, carriers } = this.#options;
    try {
      const answer = await client.readCarrier(vin, { signal });
      carriers.learn({ vin, ...answer, requestedAtMs: this.#clock.nowMs() });
      this.#failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTrackingError(error, 'notFound')) return this.#fail(error);
      carriers.learn({ vin, ...UNKNOWN, requestedAtMs: this.#clock.nowMs() });
      this.#failures = 0;
    }
  }

  #fail(error: unknown): void {
    const { random, settings } = this.#options;
    this.#failures++;
    const { carrierRetryMs } = settings;
    const retryMs = toRetryDelayMs(this.#failures, carrierRetryMs, toRetryAfterMs(error), random(), settings);
    this.#restUntilMs = this.#clock.monotonicMs() + retryMs;
  }
}
