/** Codes of node and of PostgreSQL (appendix A of its manual) for a database that cannot be reached just now. */
const UNAVAILABLE_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
  ...['08000', '08001', '08003', '08004', '08006'],
  ...['53000', '53200', '53300', '53400', '57P01', '57P02', '57P03'],
]);
/** No space left, reported by PostgreSQL or by the system. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** DuckDB's errors have no code. */
const FULL_MESSAGE = /^IO Error: .*no space left on device|'max_temp_directory_size'/is;
/** Messages of the driver, which have no code, for a connection that failed or was lost. */
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|connection timeout|query read timeout|is not queryable/i;

const listCauses = (error: unknown): unknown[] => {
  const causes = [error];
  for (let last = error; causes.length <= 10 && last instanceof Error && last.cause !== undefined;)
    causes.push((last = last.cause));
  return causes;
};

/** The error at the bottom of a chain of causes: the wrappers above it may quote parameters of a query. */
export const toRootCause = (error: unknown): unknown => listCauses(error).at(-1);

export const toErrorCode = (error: unknown): string | null => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
};

/** The codes of an error and its causes, the outermost first. */
export const listCauseCodes = (error: unknown): string[] =>
  listCauses(error).flatMap((cause) => toErrorCode(cause) ?? []);

/** A code of the system ("ECONNREFUSED") or of PostgreSQL ("57P03"); texts may hold confidential names. */
const CODE = /^[A-Z0-9_]{3,40}$/;

/** The code of the deepest cause that has one; null if none does. */
export const toCauseCode = (error: unknown): string | null =>
  listCauseCodes(error).findLast((code) => CODE.test(code)) ?? null;

/** Classes 22 and 23 of PostgreSQL's error codes. */
const REFUSED_DATA = /^2[23]/;

/** Whether PostgreSQL refuses the data of a statement, so that another attempt has the same result. */
export const isDataRefused = (error: unknown): boolean =>
  REFUSED_DATA.test(toErrorCode(toRootCause(error)) ?? '');

/** PgBouncer's code for a server that is down; PostgreSQL has it for faulty statements, too, with a lower severity. */
const isOfPgBouncer = (root: unknown): boolean =>
  toErrorCode(root) === '08P01' && (root as { severity?: unknown }).severity === 'FATAL';

const isUnavailable = (root: unknown): boolean => {
  if (isOfPgBouncer(root)) return true;
  const code = toErrorCode(root);
  if (code !== null) return UNAVAILABLE_CODES.has(code);
  return root instanceof Error && UNAVAILABLE_MESSAGE.test(root.message);
};

/** The state of the database, or of the disk, by the root cause of an error; null if neither is the cause. */
export const judgeDatabase = (root: unknown): 'away' | 'full' | null => {
  if (FULL_CODES.has(toErrorCode(root) ?? '')) return 'full';
  if (root instanceof Error && FULL_MESSAGE.test(root.message)) return 'full';
  return isUnavailable(root) ? 'away' : null;
};
