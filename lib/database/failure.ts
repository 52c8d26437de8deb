/** Codes of node and of PostgreSQL (appendix A of its manual) for a database that cannot be reached just now. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53000',
  '53200',
  '53300',
  '53400',
  '57P01',
  '57P02',
  '57P03',
]);
/** No space left, reported by PostgreSQL or by the system. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** DuckDB's errors have no code. */
const FULL_MESSAGE = /^IO Error: .*no space left on device|'max_temp_directory_size'/is;
/** Messages of the driver, which have no code, for a connection that failed or was lost. */
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|connection timeout|query read timeout|is not queryable/i;

/** The error at the bottom of a chain of causes: the wrappers above it may quote parameters of a query. */
export const toRootCause = (error: unknown): unknown => {
  let root = error;
  for (let depth = 0; depth < 10 && root instanceof Error && root.cause !== undefined; depth++)
    root = root.cause;
  return root;
};

export const toErrorCode = (error: unknown): string | null => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
};

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
