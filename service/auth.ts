import type { MiddlewareHandler } from 'hono';
import type { ServiceContext, ServiceEnv } from './context';
import { ServiceProblem } from './problem';
import { createRateLimit } from './rate-limit';

/** Lets a request through that bears both halves of one key, within the key's allowance. */
export const requireKey = (context: ServiceContext): MiddlewareHandler<ServiceEnv> => {
  const { store, now, requestsPerMinute } = context;
  const limit = requestsPerMinute === null ? null : createRateLimit({ requestsPerMinute, now });
  return async (c, next) => {
    const key = await store.keys.verify(
      c.req.header('x-api-key') ?? '',
      c.req.header('provider-token') ?? '',
    );
    if (key === null)
      throw new ServiceProblem(
        'invalid_credentials',
        'Send both x-api-key and provider-token, as they were issued.',
      );
    const retryAfterS = limit?.take(key.id) ?? 0;
    if (retryAfterS > 0)
      throw new ServiceProblem(
        'too_many_requests',
        `A key may make ${requestsPerMinute} requests a minute.`,
        {
          'retry-after': String(retryAfterS),
        },
      );
    c.set('usdot', key.usdot);
    await next();
  };
};

/** @throws ServiceProblem unless the USDOT number is the one of the request's key. */
export const requireOwnUsdot = (asked: string, own: string): void => {
  if (asked !== own) throw new ServiceProblem('other_carrier', 'This key belongs to another carrier.');
};
