import { ServiceProblem } from '../problem';

/** Seconds after which to ask again when the database is away: it usually restarts in fewer. */
const RETRY_AFTER_S = 5;

/** A disk is not emptied in seconds. */
const RETRY_AFTER_FULL_S = 60;

/** Codes of node and of PostgreSQL (appendix A of its manual) for a database that cannot be reached just now. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '53000',
  '53200',
  '53300',
  '53400',
  '57P01',
  '57P02',
  '57P03',
]);
/** No room left, as PostgreSQL says it and as the system does. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** How the driver words, without a code, that it got no connection or lost the one it had. */
const UNAVAILABLE_WORDS =
  /timeout exceeded when trying to connect|connection terminated|connection timeout|query read timeout/i;

/** The error at the bottom of a chain of causes: the wrappers above it may quote parameters of a query. */
const toRoot = (error: unknown): unknown => {
  let root = error;
  for (let depth = 0; depth < 10 && root instanceof Error && root.cause !== undefined; depth++)
    root = root.cause;
  return root;
};

const codeOf = (error: unknown): string | null => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
};

const isUnavailable = (root: unknown): boolean => {
  const code = codeOf(root);
  if (code !== null) return UNAVAILABLE_CODES.has(code);
  return root instanceof Error && UNAVAILABLE_WORDS.test(root.message);
};

const toProblem = (root: unknown): ServiceProblem => {
  if (FULL_CODES.has(codeOf(root) ?? '')) {
    return new ServiceProblem('storage_full', undefined, { 'retry-after': String(RETRY_AFTER_FULL_S) });
  }
  return isUnavailable(root)
    ? new ServiceProblem('unavailable', undefined, { 'retry-after': String(RETRY_AFTER_S) })
    : new ServiceProblem('internal_error');
};

export interface Failure {
  /** What the caller is told. */
  problem: ServiceProblem;
  /** What the log is told. */
  fields: { error: string; code: string | null; reason: string; stack: string | undefined };
}

/** What becomes of an error that nobody expected: told apart by whether asking again may help. */
export const toFailure = (error: unknown): Failure => {
  const root = toRoot(error);
  const isError = root instanceof Error;
  const problem = toProblem(root);
  return {
    problem,
    fields: {
      error: isError ? root.name : typeof root,
      code: codeOf(root),
      reason: isError ? root.message : String(root),
      // Of a database that is away, the place in the code says nothing, once for every request.
      stack: isError && problem.code === 'internal_error' ? root.stack : undefined,
    },
  };
};
