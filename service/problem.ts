import { z } from '@hono/zod-openapi';
import { judgeDatabase, toErrorCode, toRootCause } from '@/lib/database/failure';

const problem = (status: number, title: string, meaning: string) => ({ status, title, meaning });

/** Every reason for which ingest refuses a report; part of the service's table of problems. */
export const INGEST_PROBLEMS = {
  missing_token: problem(
    401,
    'The report carries no ingest token',
    'Send an ingest token as Authorization: Bearer, as the password of Basic authentication, as ?token=, or in the address as /ingest/TOKEN/PROTOCOL.',
  ),
  wrong_token: problem(401, 'The ingest token is wrong', 'The ingest token is unknown or revoked.'),
  invalid_input: problem(
    400,
    'The report cannot be read',
    'The detail names the field, what was expected and what was sent. Nothing of the report is stored.',
  ),
  clock_fault: problem(
    400,
    'The clock of the device is wrong',
    'A fix is dated to a time before GPS, or to 1024 weeks ago or more, as by a receiver that misses a GPS week rollover. The detail has the time. Nothing of the report is stored.',
  ),
  encrypted_payload: problem(
    400,
    'The report is encrypted',
    'OwnTracks is set up with an encryption key, which the service does not have. Leave it empty.',
  ),
  unknown_device: problem(
    404,
    'No vehicle has this device',
    'The carrier of the token has no vehicle with this device id. Nothing of the report is stored.',
  ),
  batch_too_large: problem(413, 'The batch has too many locations', 'A batch may hold 2,000 locations.'),
  compressed_body: problem(
    415,
    'The body is compressed',
    'Send the report without Content-Encoding. Nothing of it is stored.',
  ),
  body_too_large: problem(413, 'The body is too large', 'A report may have a body of 2 MiB.'),
  incomplete_body: problem(
    400,
    'The body ended early',
    'The connection was lost before the whole report had arrived. Nothing of it is stored.',
  ),
};

/** Every reason for refusing a request, by its code. Codes are stable; titles and details are for people. */
export const PROBLEMS = {
  invalid_credentials: problem(
    401,
    'The credentials are missing or wrong',
    'x-api-key or provider-token is missing, unknown, revoked, or the two do not belong together. The response does not say which.',
  ),
  expired_key: problem(
    401,
    'The key has ended',
    'Both headers belong together, and the key has expired, or this pair was replaced by a newer one and its time to be replaced is over.',
  ),
  address_not_allowed: problem(
    403,
    'The key may not be used from here',
    'The key is limited to certain addresses; the detail has the address of the request.',
  ),
  endpoint_not_allowed: problem(
    403,
    'The key may not use this endpoint',
    'The key is limited to certain endpoints, which the detail names.',
  ),
  other_carrier: problem(
    403,
    'The USDOT number belongs to another key',
    'A key sees the USDOT number of its own carrier only, whether or not another one exists.',
  ),
  malformed_usdot: problem(400, 'The USDOT number is malformed', 'A USDOT number has 1 to 8 digits.'),
  malformed_vin: problem(
    400,
    'The VIN is malformed',
    'A VIN has 17 letters and digits, none of them I, O or Q.',
  ),
  unknown_vin: problem(404, 'The VIN is unknown', 'No vehicle that this key may see has the VIN.'),
  never_reported: problem(
    404,
    'The unit has never reported',
    'The vehicle is on the roster, and no fix of it has arrived yet.',
  ),
  unknown_path: problem(404, 'There is nothing at this address', 'No such path.'),
  method_not_allowed: problem(
    405,
    'The method is not allowed here',
    'The header Allow lists the allowed methods.',
  ),
  too_many_requests: problem(
    429,
    'Too many requests',
    'The key has used up its requests for now; Retry-After has the seconds until the next window.',
  ),
  internal_error: problem(
    500,
    'The service failed',
    'A fault of the service. Its log has details under the request id.',
  ),
  unavailable: problem(
    503,
    'The service is not available',
    'The database cannot be reached now. Retry after the seconds in Retry-After.',
  ),
  storage_full: problem(
    507,
    'The disk of the service is full',
    'Nothing of the request was stored. Keep it, and send it again after the seconds that Retry-After gives.',
  ),
  ...INGEST_PROBLEMS,
};
export type ProblemCode = keyof typeof PROBLEMS;

export const problemSchema = z
  .object({
    type: z.string().openapi({ description: 'Where the code is explained, relative to this address.' }),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ description: 'Stable, for programs.' }),
    detail: z.string().optional(),
    requestId: z.string().openapi({ description: 'The id of the request in the log of the service.' }),
  })
  .openapi('Problem', { description: 'A problem document (RFC 9457).' });
export type Problem = z.infer<typeof problemSchema>;

/** Thrown anywhere in a request and sent as a problem document, `detail` included. */
export class ServiceProblem extends Error {
  override name = 'ServiceProblem';

  constructor(
    readonly code: ProblemCode,
    readonly detail?: string,
    readonly headers: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    super(detail ?? PROBLEMS[code].title, options);
  }
}

/** A 401 has to name a scheme (RFC 9110, section 11.6.1); no registered one is of two headers. */
const KEY_CHALLENGE = 'ApiKey realm="tracking"';

export const toProblemResponse = (problem: ServiceProblem, basePath: string, requestId: string): Response => {
  const { code, detail } = problem;
  const { status, title } = PROBLEMS[code];
  const about = { type: `${basePath}/docs#${code}`, title, status, code };
  const body: Problem = { ...about, ...(detail !== undefined && { detail }), requestId };
  return Response.json(body, {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(status === 401 ? { 'www-authenticate': KEY_CHALLENGE } : {}),
      ...problem.headers,
    },
  });
};

/** Seconds until a retry may help: a database usually restarts sooner, and a full disk is not emptied in seconds. */
const RETRY_AFTER_S = { unavailable: '5', storage_full: '60' } as const;

/** The problem of an unexpected error; it states whether a retry may help. */
const judgeError = (root: unknown): ServiceProblem => {
  const state = judgeDatabase(root);
  if (state !== 'full' && state !== 'away') return new ServiceProblem('internal_error');
  const code = state === 'full' ? 'storage_full' : 'unavailable';
  return new ServiceProblem(code, undefined, { 'retry-after': RETRY_AFTER_S[code] });
};

/** An unexpected error as the problem to send, and the fields to log. */
export const toFailure = (error: unknown) => {
  const root = toRootCause(error);
  const isError = root instanceof Error;
  const problem = judgeError(root);
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
