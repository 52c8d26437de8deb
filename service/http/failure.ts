import { judgeDatabase, toErrorCode, toRootCause } from '@/lib/database/failure';
import { ServiceProblem } from '../problem';

/** Retry-After while the database is away: it usually restarts sooner. */
const RETRY_AFTER_S = 5;

/** Retry-After of a full disk, which is not emptied in seconds. */
const RETRY_AFTER_FULL_S = 60;

const toProblem = (root: unknown): ServiceProblem => {
  const state = judgeDatabase(root);
  if (state === 'full') {
    return new ServiceProblem('storage_full', undefined, { 'retry-after': String(RETRY_AFTER_FULL_S) });
  }
  return state === 'away'
    ? new ServiceProblem('unavailable', undefined, { 'retry-after': String(RETRY_AFTER_S) })
    : new ServiceProblem('internal_error');
};

export interface Failure {
  /** Sent to the client. */
  problem: ServiceProblem;
  /** Written to the log. */
  fields: { error: string; code: string | null; reason: string; stack: string | undefined };
}

/** The problem and log fields of an unexpected error; the problem states whether a retry may help. */
export const toFailure = (error: unknown): Failure => {
  const root = toRootCause(error);
  const isError = root instanceof Error;
  const problem = toProblem(root);
  return {
    problem,
    fields: {
      error: isError ? root.name : typeof root,
      code: toErrorCode(root),
      reason: isError ? root.message : String(root),
      // While the database is away, a stack for every request would add nothing.
      stack: isError && problem.code === 'internal_error' ? root.stack : undefined,
    },
  };
};
