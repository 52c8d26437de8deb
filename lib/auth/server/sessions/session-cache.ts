import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '@/lib/auth/viewer';

/** A session that was looked up, and whose it is. */
export interface VerifiedSession {
  sessionId: string;
  viewer: Viewer;
  /** The viewer may do nothing but set up a second factor. */
  needsSecondFactor: boolean;
  expiresAtMs: number;
  /** `Set-Cookie` lines that let the browser keep it as long as the server does; empty where nothing changed. */
  setCookies: string[];
}

export interface SessionCache<About> {
  /** Whose session a cookie is, `about` being what it takes to look it up; null for none. @throws what `verify` does, for a session not known here */
  read: (cookie: string, about: About) => Promise<VerifiedSession | null>;
  /** Takes the `Set-Cookie` lines that are due to the bearer of a cookie; each is given once. */
  takeCookies: (cookie: string) => string[];
  /** From the next request on, these sessions are looked up again. */
  forget: (isMeant: (session: VerifiedSession) => boolean) => void;
  size: () => number;
}

/** A session is not looked up again for so long: another process's change of it takes this long to be seen. */
const FRESH_MS = 30_000;
/** After that it is looked up while the request is answered from the cache; of one not seen for longer the request waits. */
const STALE_MS = 120_000;
const MAX_SESSIONS = 20_000;

interface Entry {
  session: VerifiedSession;
  checkedAtMs: number;
  isChecking: boolean;
}

/**
 * Caches sessions, so that a poll costs no query. A change of a user or a session in this process calls `forget` and holds
 * from the next request on. While the database is away, cached sessions stay valid.
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

  /** Looks a session up; again where something was forgotten meanwhile, which may have been this. */
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
      // The cached session stays valid, and is looked up again as after a good answer.
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
