import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CreateCounter, ServiceContext, ServiceEnv } from '../context';
import { ServiceProblem } from '../problem';
import type { VerifiedKey } from '../store/credentials/keys';
import { isInNetworks, type Endpoint } from '../store/credentials/key-access';

const readKey = async (c: Context<ServiceEnv>, { store, now }: ServiceContext): Promise<VerifiedKey> => {
  const key = await store.keys.verify(c.req.header('x-api-key') ?? '', c.req.header('provider-token') ?? '');
  if (key === null)
    throw new ServiceProblem(
      'invalid_credentials',
      'Send both x-api-key and provider-token, as they were issued.',
    );
  if (key.endsAtMs !== null && key.endsAtMs <= now())
    throw new ServiceProblem('expired_key', `It ended at ${new Date(key.endsAtMs).toISOString()}.`);
  return key;
};

/** @throws ServiceProblem unless the client's address is in the key's networks. */
const requireAllowedAddress = (
  c: Context<ServiceEnv>,
  { access: { allowedNetworks } }: VerifiedKey,
  { readClientAddress }: ServiceContext,
): void => {
  if (allowedNetworks === null) return;
  const address = readClientAddress(c.req.raw);
  if (address !== null && isInNetworks(address, allowedNetworks)) return;
  throw new ServiceProblem(
    'address_not_allowed',
    `This key may not be used from ${address ?? 'an unknown address'}.`,
  );
};

/** Requires both halves of one key, an allowed client address, and a request left of the key's allowance. */
export const requireKey = (context: ServiceContext): MiddlewareHandler<ServiceEnv> => {
  const takeRequest = createRateLimit(context.createCounter);
  return async (c, next) => {
    const key = await readKey(c, context);
    requireAllowedAddress(c, key, context);
    c.set('usdot', key.usdot);
    c.set('endpoints', key.access.endpoints);
    const requestsPerMinute = key.access.requestsPerMinute ?? context.requestsPerMinute;
    if (requestsPerMinute === null) return next();
    const allowance = await takeRequest(key.id, requestsPerMinute);
    const headers = toRateLimitHeaders(allowance);
    if (!allowance.isGranted)
      throw new ServiceProblem(
        'too_many_requests',
        `This key may make ${requestsPerMinute} requests a minute.`,
        { ...headers, 'retry-after': String(allowance.resetS) },
      );
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
};

/** Requires a key that may use the endpoint. */
export const requireEndpoint =
  (endpoint: Endpoint): MiddlewareHandler<ServiceEnv> =>
  async (c, next) => {
    const endpoints = c.get('endpoints');
    if (endpoints !== null && !endpoints.includes(endpoint))
      throw new ServiceProblem('endpoint_not_allowed', `This key may use ${endpoints.join(', ')}.`);
    await next();
  };

/** @throws ServiceProblem unless the requested USDOT number is the key's own. */
export const requireOwnUsdot = (requested: string, own: string): void => {
  if (requested !== own) throw new ServiceProblem('other_carrier', 'This key belongs to another carrier.');
};

const WINDOW_S = 60;

const createOwnCounter: CreateCounter = ({ points, durationS }) =>
  new RateLimiterMemory({ points, duration: durationS });

/** Counts the requests of each key in windows of a minute; by default, each process of a service for itself. */
export const createRateLimit = (createCounter: CreateCounter = createOwnCounter) => {
  // No limit by points: each key has an allowance of its own, which may change within a window.
  const limiter = createCounter({ points: Number.MAX_SAFE_INTEGER, durationS: WINDOW_S });
  return async (keyId: string, requestsPerMinute: number) => {
    const { consumedPoints, msBeforeNext } = await limiter.consume(keyId);
    return {
      isGranted: consumedPoints <= requestsPerMinute,
      requestsPerMinute,
      remaining: Math.max(0, requestsPerMinute - consumedPoints),
      /** Whole seconds until the window ends and the whole allowance is there again. */
      resetS: Math.ceil(msBeforeNext / 1000),
    };
  };
};

/** The rest of a key's allowance after one request was counted. */
type Allowance = Awaited<ReturnType<ReturnType<typeof createRateLimit>>>;

/**
 * An allowance as header fields (draft-ietf-httpapi-ratelimit-headers-11): q requests in a window of w seconds, of which
 * r are left, and t seconds until the window ends.
 */
export const toRateLimitHeaders = ({ requestsPerMinute, remaining, resetS }: Allowance) => ({
  'ratelimit-policy': `"key";q=${requestsPerMinute};w=${WINDOW_S}`,
  ratelimit: `"key";r=${remaining};t=${resetS}`,
});
