import 'server-only';
import type { Fetch } from '@/lib/tracking/transport';

/** How the database of the embedded service fares, as the last answers that needed it tell. */
export interface DatabaseState {
  /** `away`: it cannot be reached; `full`: it can be read, and takes no report for want of room on the disk. */
  state: 'unknown' | 'ok' | 'away' | 'full';
  /** Unix milliseconds; null while it is not known. */
  sinceMs: number | null;
  /** For an engineer: the code of the system or of PostgreSQL, where one was given. */
  code: string | null;
}

export interface DatabaseWatch {
  note(state: 'ok' | 'away' | 'full', code?: string | null): void;
  read(): DatabaseState;
}

/** A full disk is known by reports that were refused: without one for so long, there may be room again. */
const FULL_FADES_MS = 5 * 60_000;

export const createDatabaseWatch = ({
  now,
  elapsed,
}: {
  now: () => number;
  elapsed: () => number;
}): DatabaseWatch => {
  let held: DatabaseState = { state: 'unknown', sinceMs: null, code: null };
  let notedAtMs = 0;
  return {
    note: (state, code = null) => {
      notedAtMs = elapsed();
      const isSame = held.state === state;
      held = { state, sinceMs: isSame ? held.sinceMs : now(), code: code ?? (isSame ? held.code : null) };
    },
    read: () =>
      held.state === 'full' && elapsed() - notedAtMs > FULL_FADES_MS
        ? { state: 'unknown', sinceMs: null, code: null }
        : held,
  };
};

/** A code of the system ("ECONNREFUSED") or of PostgreSQL ("57P03"); its words may name what is nobody's business. */
const CODE = /^[A-Z0-9_]{3,40}$/;

/** The code of the deepest cause that bears one; null where none does. */
export const toCauseCode = (error: unknown): string | null => {
  let found: string | null = null;
  let cause: unknown = error;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth++) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && CODE.test(code)) found = code;
    cause = cause.cause;
  }
  return found;
};

const needsDatabase = (path: string): boolean => /\/(api|ingest)\//.test(path);
const isReport = (path: string): boolean => path.includes('/ingest/');

/**
 * Reads from each answer of the service how its database fares. Of two requests the one that was begun later tells: an
 * answer that took its time may be of a moment that is over.
 */
export const watchAnswers = (fetch: Fetch, watch: DatabaseWatch): Fetch => {
  let begun = 0;
  let told = 0;
  return async (request) => {
    const turn = ++begun;
    const response = await fetch(request);
    const path = new URL(request.url).pathname;
    if (!needsDatabase(path) || turn < told) return response;
    const note = (state: 'ok' | 'away' | 'full'): void => {
      told = turn;
      watch.note(state);
    };
    if (response.status === 507) note('full');
    else if (response.status === 503) note('away');
    // What can be read says nothing of whether there is room to write.
    else if (response.ok && (isReport(path) || watch.read().state !== 'full')) note('ok');
    return response;
  };
};
