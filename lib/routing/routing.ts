import 'server-only';
import { createFetchCache } from '@/lib/base/cache';
import type { Clock } from '@/lib/base/clock';
import type { Fetch } from '@/lib/base/http/public-fetch';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import type { LatLng } from '@/lib/geo/units';
import { ENGINES, RoutingError, toWholeRoute, type Engine, type EngineName, type Route } from './engine';

/** A way that is wanted; from one cell to one position there is one. */
export interface RouteQuery {
  cell: number;
  from: LatLng;
  to: LatLng;
}

/** Whether an engine answers, since when and why not, and what it was asked for since the start. */
export interface RoutingState {
  engine: EngineName;
  /** `unknown`: it was not asked yet. */
  state: 'unknown' | 'ok' | 'away';
  /** Unix ms. */
  sinceMs: number | null;
  /** Why it does not answer, as the end of a sentence. */
  reason: string | null;
  /** Ways that it gave, requests for which it has none, and those that failed. */
  found: number;
  none: number;
  failed: number;
  /** Ways that were wanted and not asked for, as it does not answer or too many wait. */
  skipped: number;
  /** How long its newest answer took. */
  tookMs: number | null;
}

const MOST_AT_ONCE = 4;
const PAUSE_MS = SECOND_MS / 20;
const MOST_WAITING = 2000;
const TIMEOUT_MS = 5 * SECOND_MS;
/** Ways that are kept: about 200 bytes each. Of an engine that knows the traffic an older one says little. */
const MOST_KEPT = 20_000;
const KEPT_MS = HOUR_MS;
/** After so many failures in a row it is not asked for a while, which doubles with each further one. */
const MOST_FAILURES = 3;
const SHORTEST_REST_MS = 15 * SECOND_MS;
const LONGEST_REST_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_AFTER_MS = 30 * MINUTE_MS;

/** A code of the system, such as ECONNREFUSED. */
const CODE = /^[A-Z0-9_]{3,40}$/;

/** The reason of a failure without the address, which error messages may repeat. */
const toReason = (error: unknown): string => {
  if (error instanceof RoutingError) return error.message;
  const codes = [error, (error as { cause?: unknown } | null)?.cause].map(
    (each) => (each as { code?: unknown } | null)?.code,
  );
  const code = codes.find((each) => typeof each === 'string' && CODE.test(each));
  return code === undefined ? 'it cannot be reached' : `it cannot be reached (${String(code)})`;
};

interface RoutingOptions {
  engine: Engine;
  fetch: Fetch;
  clock: Clock;
  log: Record<'warn' | 'info', (fields: object, message: string) => void>;
}

/**
 * Asks a routing engine for ways, a few at once and each for some seconds at most, and keeps what it said. An engine that
 * fails again and again is left alone for a while; one request tries it then.
 */
export class Routing {
  readonly #options: RoutingOptions;
  readonly #cache;
  readonly #requests = new Set<AbortController>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isPausing = false;
  #isClosed = false;
  #failures = 0;
  #restsUntilMs = -Infinity;
  #state: RoutingState;

  constructor(options: RoutingOptions) {
    const { clock, engine } = options;
    this.#options = options;
    this.#cache = createFetchCache<{ route: Route | null }>({ ttlMs: KEPT_MS, max: MOST_KEPT, clock });
    this.#state = {
      ...{ engine: engine.name, state: 'unknown', sinceMs: null, reason: null, tookMs: null },
      ...{ found: 0, none: 0, failed: 0, skipped: 0 },
    };
  }

  read(): RoutingState {
    return this.#state;
  }

  /** The way; null: there is none, or no answer. Never rejects. */
  async find({ cell, from, to }: RouteQuery): Promise<Route | null> {
    try {
      const key = `${cell} ${to.lat.toFixed(5)} ${to.lng.toFixed(5)}`;
      const { route } = await this.#cache.read(key, async () => ({ route: await this.#ask(from, to) }));
      return route;
    } catch {
      // It is counted, and the state has its reason.
      return null;
    }
  }

  /** The ways of some queries, in their order. Never rejects. */
  findAll(queries: readonly RouteQuery[]): Promise<(Route | null)[]> {
    return Promise.all(queries.map((query) => this.find(query)));
  }

  /** Ends what is asked, and asks no more. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#requests) request.abort();
    for (const start of this.#waiting.splice(0)) start();
  }

  async #ask(from: LatLng, to: LatLng): Promise<Route | null> {
    if (this.#isResting() || this.#waiting.length >= MOST_WAITING) throw this.#skip();
    await this.#turn();
    try {
      // It may have failed while this waited.
      if (this.#isResting()) throw this.#skip();
      // After failures one request tries it; the others are left out until that has its answer.
      if (this.#failures >= MOST_FAILURES) this.#restsUntilMs = Infinity;
      return await this.#request(from, to);
    } finally {
      this.#running -= 1;
      this.#startWaiting();
    }
  }

  #skip(): RoutingError {
    this.#state = { ...this.#state, skipped: this.#state.skipped + 1 };
    return new RoutingError('it is left alone');
  }

  #isResting(): boolean {
    return this.#isClosed || this.#options.clock.monotonicMs() < this.#restsUntilMs;
  }

  /** Resolves once a request may begin, which counts as running then. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.#running += 1;
        resolve();
      });
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    if (this.#isPausing || this.#running >= MOST_AT_ONCE) return;
    const start = this.#waiting.shift();
    if (start === undefined) return;
    start();
    // Those that wait for an engine that is left alone need no pause.
    this.#isPausing = true;
    this.#options.clock.setTimer(
      () => {
        this.#isPausing = false;
        this.#startWaiting();
      },
      this.#isResting() ? 0 : PAUSE_MS,
    );
  }

  async #request(from: LatLng, to: LatLng): Promise<Route | null> {
    const { engine, fetch, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    try {
      const route = await this.#within(
        (signal) => fetch(engine.toRequest(from, to, signal)),
        (response) => engine.read(response, clock.nowMs()),
      );
      const whole = toWholeRoute(route, from, to);
      this.#noteAnswer(whole, clock.monotonicMs() - startedMs);
      return whole;
    } catch (error) {
      if (!this.#isClosed) this.#noteFailure(error);
      throw error;
    }
  }

  /** Requests and reads within the time limit, also where neither minds its signal. */
  async #within<T>(
    request: (signal: AbortSignal) => Promise<Response>,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const late = new RoutingError(`it gave no answer within ${TIMEOUT_MS / SECOND_MS} s`);
    const cancel = this.#options.clock.setTimer(() => controller.abort(late), TIMEOUT_MS);
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
    this.#requests.add(controller);
    try {
      return await Promise.race([request(signal).then(read), aborted]);
    } finally {
      this.#requests.delete(controller);
      cancel();
    }
  }

  #noteAnswer(route: Route | null, tookMs: number): void {
    const { clock, log } = this.#options;
    const { state, engine, found, none } = this.#state;
    this.#failures = 0;
    this.#restsUntilMs = -Infinity;
    this.#state = {
      ...this.#state,
      ...(state !== 'ok' && { state: 'ok', sinceMs: clock.nowMs(), reason: null }),
      ...(route === null ? { none: none + 1 } : { found: found + 1 }),
      tookMs: Math.round(tookMs),
    };
    if (state === 'away') log.info({ engine }, `${ENGINES[engine]} answers again.`);
  }

  #noteFailure(error: unknown): void {
    const { clock, log } = this.#options;
    const { state, engine, failed } = this.#state;
    const reason = toReason(error);
    const retryAfterMs = error instanceof RoutingError ? error.retryAfterMs : null;
    // Those that ran together are one failure more, not several.
    if (clock.monotonicMs() >= this.#restsUntilMs || this.#restsUntilMs === Infinity) {
      this.#failures += 1;
      const rests = this.#failures - MOST_FAILURES;
      const restMs = rests < 0 ? 0 : Math.min(LONGEST_REST_MS, SHORTEST_REST_MS * 2 ** rests);
      this.#restsUntilMs =
        clock.monotonicMs() + Math.max(restMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
    }
    this.#state = { ...this.#state, failed: failed + 1 };
    if (this.#failures < MOST_FAILURES && retryAfterMs === null) return;
    if (state !== 'away')
      log.warn({ engine, reason }, `${ENGINES[engine]} does not answer: windows stand on other ways.`);
    this.#state = {
      ...this.#state,
      ...{ state: 'away', sinceMs: state === 'away' ? this.#state.sinceMs : clock.nowMs(), reason },
    };
  }
}
