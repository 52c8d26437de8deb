import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { PRIVATE, respond } from '../answer/respond';
import { requireEndpoint, requireOwnUsdot } from '../access/auth';
import type { ServiceContext, ServiceEnv } from '../context';
import { usdotParamsSchema, vinListSchema } from '../contract';
import { SECURITY, toResponses } from './responses';

const vinNumbersRoute = createRoute({
  method: 'get',
  path: '/api/vin-numbers/{usdot}',
  operationId: 'readVinNumbers',
  tags: ['Tracking'],
  summary: 'Vehicle VINs',
  description: 'The VIN of every vehicle of the USDOT number, active or not.',
  security: SECURITY,
  middleware: requireEndpoint('vin-numbers'),
  request: { params: usdotParamsSchema },
  responses: toResponses('The VINs.', vinListSchema, ['malformed_usdot', 'other_carrier']),
});

export const addVinNumberRoutes = (app: OpenAPIHono<ServiceEnv>, { fleets }: ServiceContext): void => {
  app.openapi(vinNumbersRoute, async (c) => {
    const { usdot } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    return respond(c.req.raw, await fleets.readVins(usdot), PRIVATE);
  });
};
