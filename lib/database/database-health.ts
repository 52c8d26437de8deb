import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Fetch } from '@/lib/base/http/public-fetch';

/** State of the embedded service's database, from the last answers that needed it. */
export interface DatabaseState {
  /** `away`: it cannot be reached; `full`: it can be read, and its disk has no room for reports. */
  state: 'unknown' | 'ok' | 'away' | 'full';
  /** Unix milliseconds; null while it is not known. */
  sinceMs: number | null;
  /** For an engineer: the code of the system or of PostgreSQL, if one was given. */
  code: string | null;
}

export interface DatabaseHealth {
  note(state: 'ok' | 'away' | 'full', code?: string | null): void;
  read(): DatabaseState;
}

/** A full disk is known by refused reports: after this long without one, there may be room again. */
const FULL_FADES_MS = 5 * 60_000;

export const createDatabaseHealth = (clock: Clock): DatabaseHealth => {
  let current: DatabaseState = { state: 'unknown', sinceMs: null, code: null };
  let notedAtMs = 0;
  return {
    note: (state, code = null) => {
      notedAtMs = clock.monotonicMs();
      const isSame = current.state === state;
      current = {
        state,
        sinceMs: isSame ? current.sinceMs : clock.nowMs(),
        code: code ?? (isSame ? current.code : null),
      };
    },
    read: () =>
      current.state === 'full' && clock.monotonicMs() - notedAtMs > FULL_FADES_MS
        ? { state: 'unknown', sinceMs: null, code: null }
        : current,
  };
};

const needsDatabase = (path: string): boolean => /\/(api|ingest)\//.test(path);
const isReport = (path: string): boolean => path.includes('/ingest/');

/** Reads the state of the database from each answer of the service: that of the request that began last counts. */
export const noteAnswers = (fetch: Fetch, watch: DatabaseHealth): Fetch => {
  let lastTurn = 0;
  let newestTurn = 0;
  return async (request) => {
    const turn = ++lastTurn;
    const response = await fetch(request);
    const path = new URL(request.url).pathname;
    if (!needsDatabase(path) || turn < newestTurn) return response;
    const note = (state: 'ok' | 'away' | 'full'): void => {
      newestTurn = turn;
      watch.note(state);
    };
    if (response.status === 507) note('full');
    else if (response.status === 503) note('away');
    // A successful read does not show that there is room to write.
    else if (response.ok && (isReport(path) || watch.read().state !== 'full')) note('ok');
    return response;
  };
};
