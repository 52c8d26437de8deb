import type { RouteConfig, z } from '@hono/zod-openapi';
import { PROBLEMS, problemSchema, type ProblemCode } from '../problem';

/** The five endpoints and the extensions need both headers. */
export const SECURITY = [{ apiKey: [], providerToken: [] }];

/** Problems of all of them. */
const ALWAYS: ProblemCode[] = [
  'invalid_credentials',
  'expired_key',
  'address_not_allowed',
  'endpoint_not_allowed',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'unavailable',
  'storage_full',
];

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const, minimum: 1 } },
};
const RATE_LIMIT = {
  RateLimit: text(
    'Requests that are left of the allowance, and seconds until the next window, as in `"key";r=59;t=42`.',
  ),
  'RateLimit-Policy': text('The allowance: requests in a window of seconds, as in `"key";q=60;w=60`.'),
};
const HEADERS: Partial<
  Record<number, Record<string, ReturnType<typeof text> | (typeof RETRY_AFTER)['Retry-After']>>
> = {
  401: { 'WWW-Authenticate': text('How to authenticate.') },
  405: { Allow: text('The methods that are allowed.') },
  415: { 'Accept-Encoding': text('The encodings that are read.') },
  429: { ...RETRY_AFTER, ...RATE_LIMIT },
  503: RETRY_AFTER,
  507: RETRY_AFTER,
};

const ETAG = { ETag: text('Strong tag of these bytes.') };

const toExample = (code: ProblemCode) => {
  const { title, status } = PROBLEMS[code];
  return {
    value: { type: `/docs#${code}`, title, status, code, requestId: '3f0c2b62-6f0b-4a53-9d0a-5f2f5a1f2c11' },
  };
};

/** The problem responses of a route by status, each with its codes. */
export const toProblemResponses = (codes: readonly ProblemCode[]): RouteConfig['responses'] => {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('\n'),
        ...(HEADERS[status] === undefined ? {} : { headers: HEADERS[status] }),
        content: {
          'application/problem+json': {
            schema: problemSchema,
            examples: Object.fromEntries(ofStatus.map((code) => [code, toExample(code)])),
          },
        },
      },
    ]),
  );
};

/** All responses of a route: its own, 304 and the problems. */
export const toResponses = (description: string, schema: z.ZodType, codes: readonly ProblemCode[]) => ({
  200: { description, headers: { ...ETAG, ...RATE_LIMIT }, content: { 'application/json': { schema } } },
  304: {
    description: 'The representation that If-None-Match names is current.',
    headers: { ...ETAG, ...RATE_LIMIT },
  },
  ...toProblemResponses([...codes, ...ALWAYS]),
});
