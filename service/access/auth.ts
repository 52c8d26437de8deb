import type { Context, MiddlewareHandler } from 'hono';
import type { Endpoint } from './key-access';
import { isInNetworks } from './network';
import type { ServiceContext, ServiceEnv } from '../context';
import { ServiceProblem } from '../problem';
import { createRateLimit, toRateLimitHeaders } from './rate-limit';
import type { VerifiedKey } from '../store/credentials/keys';

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

/** @throws ServiceProblem unless the key may be used from where the request comes. */
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

/** Lets a request through that bears both halves of one key, from where and as often as the key may be used. */
export const requireKey = (context: ServiceContext): MiddlewareHandler<ServiceEnv> => {
  const limit = createRateLimit(context);
  return async (c, next) => {
    const key = await readKey(c, context);
    requireAllowedAddress(c, key, context);
    c.set('usdot', key.usdot);
    c.set('endpoints', key.access.endpoints);
    const requestsPerMinute = key.access.requestsPerMinute ?? context.requestsPerMinute;
    if (requestsPerMinute === null) return next();
    const allowance = limit.take(key.id, requestsPerMinute);
    const headers = toRateLimitHeaders(allowance);
    if (!allowance.isGranted)
      throw new ServiceProblem(
        'too_many_requests',
        `This key may make ${requestsPerMinute} requests a minute.`,
        { ...headers, 'retry-after': String(allowance.moreAfterS) },
      );
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
};

/** Lets a request through whose key may ask this endpoint. */
export const requireEndpoint =
  (endpoint: Endpoint): MiddlewareHandler<ServiceEnv> =>
  async (c, next) => {
    const endpoints = c.get('endpoints');
    if (endpoints !== null && !endpoints.includes(endpoint))
      throw new ServiceProblem('endpoint_not_allowed', `This key may ask for ${endpoints.join(', ')}.`);
    await next();
  };

/** @throws ServiceProblem unless the USDOT number is the one of the request's key. */
export const requireOwnUsdot = (asked: string, own: string): void => {
  if (asked !== own) throw new ServiceProblem('other_carrier', 'This key belongs to another carrier.');
};
