import 'server-only';
import type { Problem } from '@/lib/wire/problem';
import { toErrorName } from './error-name';
import { toAnswer } from './problems/answer';
import type { Answer, Answers } from './problems/answer';
import { FLEET_ANSWERS } from './problems/fleet-answers';
import { PROVIDER_ANSWERS } from './problems/provider-answers';
import { REQUEST_ANSWERS } from './problems/request-answers';
import { RIGHTS_ANSWERS } from './problems/rights-answers';
import { SERVICE_ANSWERS } from './problems/service-answers';
import { SIGN_IN_ANSWERS } from './problems/sign-in-answers';

/** Every error that is somebody's to know; each stands in one of these. */
export const TABLES: readonly Answers[] = [
  REQUEST_ANSWERS,
  SIGN_IN_ANSWERS,
  RIGHTS_ANSWERS,
  FLEET_ANSWERS,
  SERVICE_ANSWERS,
  PROVIDER_ANSWERS,
];
const ANSWERS = new Map(TABLES.flatMap((table) => Object.entries(table)));

const INTERNAL = toAnswer(500, 'Internal error', 'internal');

/** The one place where an error becomes what a browser may read. What an error says in full is for the log. */
const translate = (error: unknown): Answer => {
  const answer = ANSWERS.get(toErrorName(error) ?? '') ?? INTERNAL;
  return typeof answer === 'function' ? answer(error as never) : answer;
};

/** What a browser or a page may be told about an error. */
export const toProblem = (error: unknown): Problem => translate(error).problem;

/** There is no registered scheme for who signs in by a form and bears a cookie. */
const SESSION_CHALLENGE = 'Session realm="linehaul"';
const CHALLENGES: Record<string, string> = { 'metrics-token': 'Bearer realm="metrics"' };

/** An error as an RFC 9457 problem document. */
export const toProblemResponse = (error: unknown): Response => {
  const { problem, retryAfterS } = translate(error);
  return Response.json(problem, {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      // RFC 9110, 11.6.1: who is refused for want of credentials is told which.
      ...(problem.status === 401
        ? { 'www-authenticate': CHALLENGES[problem.code] ?? SESSION_CHALLENGE }
        : {}),
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    },
  });
};
