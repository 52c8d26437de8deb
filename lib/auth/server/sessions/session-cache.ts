import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '@/lib/auth/viewer';

/** A verified session and its user. */
export interface VerifiedSession {
  sessionId: string;
  viewer: Viewer;
  /** The viewer may only set up a second factor. */
  needsSecondFactor: boolean;
  expiresAtMs: number;
  /** `Set-Cookie` lines that extend the cookie with the session; empty if nothing changed. */
  setCookies: string[];
}

export interface SessionCache<About> {
  /**
   * The session of a cookie, with the input that `verify` needs in `about`; null for none.
   * @throws the errors of `verify` for a session that is not cached
   */
  read: (cookie: string, about: About) => Promise<VerifiedSession | null>;
  /** Takes the pending `Set-Cookie` lines for a cookie; each is returned once. */
  takeCookies: (cookie: string) => string[];
  /** The next request of each of these sessions reads the database. */
  forget: (isMeant: (session: VerifiedSession) => boolean) => void;
  size: () => number;
}

/** A session is not verified again for this long, so a change by another process takes this long to apply. */
const FRESH_MS = 30_000;
/** Up to this age a session is served from the cache and verified in the background; beyond it the request waits. */
const STALE_MS = 120_000;
const MAX_SESSIONS = 20_000;

interface Entry {
  session: VerifiedSession;
  checkedAtMs: number;
  isChecking: boolean;
}

/**
 * Caches sessions, so that a poll costs no query. A change of a user or a session in this process calls `forget` and
 * applies from the next request on. While the database is down, cached sessions stay valid.
 */
export const createSessionCache = <About>(options: {
  verify: (cookie: string, about: About) => Promise<VerifiedSession | null>;
  now: () => number;
  /** Monotonic time in ms. */
  elapsed: () => number;
  onFailed: (error: unknown) => void;
}): SessionCache<About> => {
  const { verify, now, elapsed, onFailed } = options;
  const entries = new LRUCache<string, Entry>({ max: MAX_SESSIONS });
  let changes = 0;

  /** Verifies a session; repeats if `forget` ran meanwhile, because it may have meant this session. */
  const look = async (cookie: string, about: About): Promise<VerifiedSession | null> => {
    for (;;) {
      const before = changes;
      const session = await verify(cookie, about);
      if (before !== changes) continue;
      const due = entries.peek(cookie)?.session.setCookies ?? [];
      entries.delete(cookie);
      if (session === null) return null;
      if (session.setCookies.length === 0) session.setCookies = due;
      entries.set(cookie, { session, checkedAtMs: elapsed(), isChecking: false });
      return session;
    }
  };

  const lookLater = (cookie: string, about: About, entry: Entry): void => {
    entry.isChecking = true;
    look(cookie, about).catch((error: unknown) => {
      // The cached session stays valid, and is verified again as after a success.
      entry.isChecking = false;
      entry.checkedAtMs = elapsed();
      onFailed(error);
    });
  };

  return {
    read: async (cookie, about) => {
      const entry = entries.get(cookie);
      if (entry === undefined) return look(cookie, about);
      if (entry.session.expiresAtMs <= now()) {
        entries.delete(cookie);
        return look(cookie, about);
      }
      const ageMs = elapsed() - entry.checkedAtMs;
      if (ageMs > STALE_MS && !entry.isChecking) {
        try {
          return await look(cookie, about);
        } catch (error) {
          entry.checkedAtMs = elapsed();
          onFailed(error);
        }
      } else if (ageMs > FRESH_MS && !entry.isChecking) lookLater(cookie, about, entry);
      return entry.session;
    },
    takeCookies: (cookie) => {
      const session = entries.peek(cookie)?.session;
      if (session === undefined || session.setCookies.length === 0) return [];
      const taken = session.setCookies;
      session.setCookies = [];
      return taken;
    },
    forget: (isMeant) => {
      changes++;
      for (const [cookie, { session }] of [...entries.entries()])
        if (isMeant(session)) entries.delete(cookie);
    },
    size: () => entries.size,
  };
};
