import { ServiceProblem } from '../problem';

/** Retry-After while the database is away: it usually restarts sooner. */
const RETRY_AFTER_S = 5;

/** Retry-After of a full disk, which is not emptied in seconds. */
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
/** No space left, reported by PostgreSQL or by the system. */
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** Messages of the driver, which have no code, for a connection that failed or was lost. */
const UNAVAILABLE_MESSAGE =
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
  return root instanceof Error && UNAVAILABLE_MESSAGE.test(root.message);
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
  /** Sent to the client. */
  problem: ServiceProblem;
  /** Written to the log. */
  fields: { error: string; code: string | null; reason: string; stack: string | undefined };
}

/** The problem and log fields of an unexpected error; the problem says whether a retry may help. */
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
      // While the database is away, a stack for every request would add nothing.
      stack: isError && problem.code === 'internal_error' ? root.stack : undefined,
    },
  };
};
