import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { requireEndpoint, requireOwnUsdot } from '../access/auth';
import { createRepresentation, PRIVATE, respond } from '../answer/representation';
import { toUnit, toCarrierAccount, toVinCarrier } from '../answer/unit';
import type { ServiceContext, ServiceEnv } from '../context';
import {
  unitParamsSchema,
  unitSchema,
  unitsSchema,
  usdotParamsSchema,
  vinListSchema,
  carrierAccountSchema,
  vinCarrierSchema,
  vinParamsSchema,
} from '../contract';
import { ServiceProblem } from '../problem';
import type { Store } from '../store/store';
import type { StoredVehicle } from '../store/vehicles';
import { SECURITY, toResponses } from './responses';

const unitsRoute = createRoute({
  method: 'get',
  path: '/api/units/{usdot}',
  operationId: 'readUnits',
  tags: ['Tracking'],
  summary: 'Vehicles tracking',
  description:
    'Every unit currently active for the USDOT number: its newest fix is younger than the active window of the service (30 minutes unless it is set otherwise). Units come in the order in which their vehicles were added.',
  security: SECURITY,
  middleware: requireEndpoint('units'),
  request: { params: usdotParamsSchema },
  responses: toResponses('The active units.', unitsSchema, ['malformed_usdot', 'other_carrier']),
});

const unitRoute = createRoute({
  method: 'get',
  path: '/api/units/{usdot}/{vin}',
  operationId: 'readUnit',
  tags: ['Tracking'],
  summary: 'Vehicle tracking by VIN',
  description: 'One unit at its last known place, however long ago that was.',
  security: SECURITY,
  middleware: requireEndpoint('unit'),
  request: { params: unitParamsSchema },
  responses: toResponses('The unit.', unitSchema, [
    'malformed_usdot',
    'malformed_vin',
    'other_carrier',
    'unknown_vin',
    'never_reported',
  ]),
});

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
    "The motor carrier that a vehicle is registered to, which need not be the fleet it drives in. A key may read the vehicles of its own carrier's fleet, and those registered to its own carrier.",
  security: SECURITY,
  middleware: requireEndpoint('carrier-by-vin'),
  request: { params: vinParamsSchema },
  responses: toResponses('The carrier of the VIN.', vinCarrierSchema, ['malformed_vin', 'unknown_vin']),
});

/** A vehicle of a carrier by its VIN. @throws ServiceProblem 'unknown_vin' */
export const readOwnVehicle = async (
  { vehicles }: Pick<Store, 'vehicles'>,
  usdot: string,
  vin: string,
): Promise<StoredVehicle> => {
  const vehicle = await vehicles.readByVin(vin);
  if (vehicle?.usdot !== usdot)
    throw new ServiceProblem('unknown_vin', `USDOT ${usdot} has no vehicle of this VIN.`);
  return vehicle;
};

/** The five endpoints of the contract. */
export const addEndpoints = (app: OpenAPIHono<ServiceEnv>, { store, fleets }: ServiceContext): void => {
  app.openapi(unitsRoute, async (c) => {
    const { usdot } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    return respond(c.req.raw, await fleets.readUnits(usdot), PRIVATE);
  });

  app.openapi(unitRoute, async (c) => {
    const { usdot, vin } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    const vehicle = await readOwnVehicle(store, usdot, vin);
    const position = await store.positions.read(vehicle.id);
    if (position === null)
      throw new ServiceProblem('never_reported', 'No fix of this vehicle has arrived yet.');
    return respond(c.req.raw, createRepresentation(JSON.stringify(toUnit(vehicle, position))), PRIVATE);
  });

  app.openapi(vinNumbersRoute, async (c) => {
    const { usdot } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    return respond(c.req.raw, await fleets.readVins(usdot), PRIVATE);
  });

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
