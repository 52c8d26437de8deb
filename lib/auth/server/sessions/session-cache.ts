import 'server-only';
import { LRUCache } from 'lru-cache';
import { roomFor } from '@/lib/base/cache';
import type { Clock } from '@/lib/base/clock';
import type { Viewer } from '@/lib/base/viewer';

export interface VerifiedSession {
  sessionId: string;
  viewer: Viewer;
  /** The viewer may only set up a second factor. */
  needsSecondFactor: boolean;
  expiresAtMs: number;
  /** `Set-Cookie` lines that extend the cookie with the session; empty if nothing changed. */
  setCookies: string[];
}

/** A session is not verified again for this long; the first request after it is still answered from the cache. */
const FRESH_MS = 30_000;
/** Up to this age a session is served from the cache and verified in the background; beyond it the request waits. */
const STALE_MS = 120_000;
const MAX_SESSIONS = 20_000;

interface Entry {
  session: VerifiedSession;
  checkedAtMs: number;
  isChecking: boolean;
}

interface SessionCacheOptions<About> {
  verify: (cookie: string, about: About) => Promise<VerifiedSession | null>;
  clock: Clock;
  onFailed: (error: unknown) => void;
}

/** Caches sessions, so that a poll costs no query; `forget` applies a change from the next request on. */
export class SessionCache<About> {
  readonly #entries = new LRUCache<string, Entry>(roomFor(MAX_SESSIONS));
  readonly #options: SessionCacheOptions<About>;
  #changes = 0;

  constructor(options: SessionCacheOptions<About>) {
    this.#options = options;
  }

  /**
   * The session of a cookie, with the input that `verify` needs in `about`; null for none.
   * @throws the errors of `verify` for a session that is not cached
   */
  async read(cookie: string, about: About): Promise<VerifiedSession | null> {
    const { clock, onFailed } = this.#options;
    const entry = this.#entries.get(cookie);
    if (entry === undefined) return this.#verify(cookie, about);
    if (entry.session.expiresAtMs <= clock.nowMs()) {
      this.#entries.delete(cookie);
      return this.#verify(cookie, about);
    }
    const ageMs = clock.monotonicMs() - entry.checkedAtMs;
    if (ageMs > STALE_MS && !entry.isChecking) {
      try {
        return await this.#verify(cookie, about);
      } catch (error) {
        entry.checkedAtMs = clock.monotonicMs();
        onFailed(error);
      }
    } else if (ageMs > FRESH_MS && !entry.isChecking) this.#verifyInBackground(cookie, about, entry);
    return entry.session;
  }

  /** Takes the pending `Set-Cookie` lines for a cookie; each is returned once. */
  takeCookies(cookie: string): string[] {
    const session = this.#entries.peek(cookie)?.session;
    if (session === undefined) return [];
    const taken = session.setCookies;
    session.setCookies = [];
    return taken;
  }

  /** The next request of each of these sessions reads the database. */
  forget(matches: (session: VerifiedSession) => boolean): void {
    this.#changes++;
    for (const [cookie, { session }] of [...this.#entries.entries()])
      if (matches(session)) this.#entries.delete(cookie);
  }

  /** Verifies a session; repeats if `forget` ran meanwhile, because its filter may match this session. */
  async #verify(cookie: string, about: About): Promise<VerifiedSession | null> {
    for (;;) {
      const before = this.#changes;
      const session = await this.#options.verify(cookie, about);
      if (before !== this.#changes) continue;
      const due = this.#entries.peek(cookie)?.session.setCookies ?? [];
      this.#entries.delete(cookie);
      if (session === null) return null;
      if (session.setCookies.length === 0) session.setCookies = due;
      this.#entries.set(cookie, {
        session,
        checkedAtMs: this.#options.clock.monotonicMs(),
        isChecking: false,
      });
      return session;
    }
  }

  #verifyInBackground(cookie: string, about: About, entry: Entry): void {
    entry.isChecking = true;
    this.#verify(cookie, about).catch((error: unknown) => {
      // The cached session stays valid, and is verified again as after a success.
      entry.isChecking = false;
      entry.checkedAtMs = this.#options.clock.monotonicMs();
      this.#options.onFailed(error);
    });
  }
}
