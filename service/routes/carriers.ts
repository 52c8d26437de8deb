import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { createRepresentation } from '../answer/representation';
import { PRIVATE, respond } from '../answer/respond';
import { toCarrierAccount, toVinCarrier } from '../answer/unit';
import { requireEndpoint } from '../access/auth';
import type { ServiceContext, ServiceEnv } from '../context';
import { carrierAccountSchema, vinCarrierSchema, vinParamsSchema } from '../contract';
import { ServiceProblem } from '../problem';
import { SECURITY, toResponses } from './responses';

const accountRoute = createRoute({
  method: 'get',
  path: '/api/carrier',
  operationId: 'readAccount',
  tags: ['Carriers'],
  summary: 'Carrier by API key',
  description: 'The carrier whose account the API key belongs to.',
  security: SECURITY,
  middleware: requireEndpoint('carrier'),
  responses: toResponses('The carrier of the key.', carrierAccountSchema, []),
});

const vinCarrierRoute = createRoute({
  method: 'get',
  path: '/api/carrier/{vin}',
  operationId: 'readVinCarrier',
  tags: ['Carriers'],
  summary: 'Carrier by VIN',
  description:
    "The motor carrier that a vehicle is registered to, which need not be the fleet it drives in. A key may ask for the vehicles of its own carrier's fleet, and for those registered to its own carrier.",
  security: SECURITY,
  middleware: requireEndpoint('carrier-by-vin'),
  request: { params: vinParamsSchema },
  responses: toResponses('The carrier of the VIN.', vinCarrierSchema, ['malformed_vin', 'unknown_vin']),
});

export const addCarrierRoutes = (app: OpenAPIHono<ServiceEnv>, { store }: ServiceContext): void => {
  app.openapi(accountRoute, async (c) => {
    const carrier = await store.carriers.read(c.get('usdot'));
    // The carrier may have been removed between the check of its key and now.
    if (carrier === null) throw new ServiceProblem('invalid_credentials');
    return respond(c.req.raw, createRepresentation(JSON.stringify(toCarrierAccount(carrier))), PRIVATE);
  });

  app.openapi(vinCarrierRoute, async (c) => {
    const { vin } = c.req.valid('param');
    const own = c.get('usdot');
    const vehicle = await store.vehicles.readByVin(vin);
    const isSeen = vehicle !== null && (vehicle.usdot === own || vehicle.registeredUsdot === own);
    if (!isSeen) throw new ServiceProblem('unknown_vin', 'No vehicle that this key may see has this VIN.');
    const fleet = await store.carriers.read(own);
    return respond(c.req.raw, createRepresentation(JSON.stringify(toVinCarrier(vehicle, fleet))), PRIVATE);
  });
};
