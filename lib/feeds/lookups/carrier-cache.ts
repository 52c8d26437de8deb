import 'server-only';
import type { KnownCarrier } from '@/lib/fleet/unit/unit-record';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import { Listeners } from '@/lib/base/listeners';
import type { VinCarrier } from '@/lib/wire/unit';
import type { LiveSettings } from '@/lib/fleet/settings';

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

  /** Stores an answer and notifies the listeners. */
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

  /** Calls the listener with each answer until the returned function is called. */
  listen(listener: (known: KnownCarrier) => void): () => void {
    return this.#listeners.add(listener);
  }

  #isFresh({ carrier }: KnownCarrier): boolean {
    return this.#clock.nowMs() - carrier.requestedAtMs < this.#settings.carrierTtlMs;
  }
}
