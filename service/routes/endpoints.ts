import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
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
import { ServiceProblem, type ProblemCode } from '../problem';
import type { Store } from '../store/store';
import type { StoredVehicle } from '../store/vehicles';
import { SECURITY, toResponses } from './responses';
import type { ReportedState } from '../store/fixes/positions';

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

const UNIT_PROBLEMS: ProblemCode[] = [
  'malformed_usdot',
  'malformed_vin',
  'other_carrier',
  'unknown_vin',
  'never_reported',
];

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
  responses: toResponses('The unit.', unitSchema, UNIT_PROBLEMS),
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

const respondJson = (request: Request, body: object): Promise<Response> =>
  respond(request, createRepresentation(JSON.stringify(body)), PRIVATE);

/** A vehicle of a carrier by its VIN. @throws ServiceProblem 'unknown_vin' */
const readOwnVehicle = async (
  { vehicles }: Pick<Store, 'vehicles'>,
  usdot: string,
  vin: string,
): Promise<StoredVehicle> => {
  const vehicle = await vehicles.readByVin(vin);
  if (vehicle?.usdot !== usdot)
    throw new ServiceProblem('unknown_vin', `USDOT ${usdot} has no vehicle of this VIN.`);
  return vehicle;
};

const nullableNumber = (description: string, example: number) =>
  z.number().nullable().openapi({ description, example });

const nullableTime = (description: string, example: string | null) =>
  z.iso.datetime().nullable().openapi({ description, example });

/** The data that the contract of the five endpoints has no field for. An unknown field is null, never absent. */
const reportedSchema = z
  .object({
    vin: z.string().openapi({ description: 'Vehicle Identification Number.', example: '1XKYD49X8KJ900001' }),
    timestamp: nullableTime('When the device took its newest fix.', '2026-03-05T15:04:05.000Z'),
    receivedAt: nullableTime('When that fix arrived.', '2026-03-05T15:04:06.200Z'),
    speedKph: nullableNumber('Speed, km/h.', 98.2),
    headingDeg: nullableNumber('Degrees clockwise from north, below 360.', 271.5),
    altitudeM: nullableNumber('Altitude, meters.', 1099),
    accuracyM: nullableNumber('Radius of the fix, meters.', 4.6),
    batteryPercent: nullableNumber('Battery of the device, percent.', 87),
    isIgnitionOn: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether the ignition is on.', example: true }),
    odometerM: nullableNumber('Odometer, meters.', 612_345_000),
    alarm: z.string().nullable().openapi({
      description: 'The alarm as the device or the Traccar server names it; several are divided by commas.',
      example: 'powerCut',
    }),
    reportsWithoutPosition: z
      .int()
      .openapi({ description: 'Reports by which the device was heard without a position.', example: 3 }),
    heardWithoutPositionAt: nullableTime('When the newest of them arrived.', '2026-03-05T14:58:00.000Z'),
  })
  .openapi('Reported');

const reportedRoute = createRoute({
  method: 'get',
  path: '/extensions/units/{usdot}/{vin}',
  operationId: 'readReported',
  tags: ['Extensions'],
  summary: 'What a device reported',
  description:
    'What the device of a vehicle reported with its newest fix, as it reported it, and whether it was heard without a position. For a key that is limited to some endpoints, this one belongs to `GET /api/units/{usdot}/{vin}`.',
  security: SECURITY,
  middleware: requireEndpoint('unit'),
  request: { params: unitParamsSchema },
  responses: toResponses('What the device reported.', reportedSchema, UNIT_PROBLEMS),
});

const toTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

const toReported = (vin: string, state: ReportedState): z.infer<typeof reportedSchema> => {
  const { fixAtMs, receivedAtMs, noPositionCount, noPositionAtMs, ...measured } = state;
  return {
    vin,
    timestamp: toTime(fixAtMs),
    receivedAt: toTime(receivedAtMs),
    ...measured,
    reportsWithoutPosition: noPositionCount,
    heardWithoutPositionAt: toTime(noPositionAtMs),
  };
};

/** Adds the five endpoints of the contract, and the extension. */
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
    return respondJson(c.req.raw, toUnit(vehicle, position));
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
    return respondJson(c.req.raw, toCarrierAccount(carrier));
  });

  app.openapi(vinCarrierRoute, async (c) => {
    const { vin } = c.req.valid('param');
    const own = c.get('usdot');
    const vehicle = await store.vehicles.readByVin(vin);
    const isSeen = vehicle !== null && (vehicle.usdot === own || vehicle.registeredUsdot === own);
    if (!isSeen) throw new ServiceProblem('unknown_vin', 'No vehicle that this key may see has this VIN.');
    const fleet = await store.carriers.read(own);
    return respondJson(c.req.raw, toVinCarrier(vehicle, fleet));
  });

  app.openapi(reportedRoute, async (c) => {
    const { usdot, vin } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    const vehicle = await readOwnVehicle(store, usdot, vin);
    const state = await store.devices.readReported(vehicle.id);
    if (state === null)
      throw new ServiceProblem('never_reported', 'No report of this vehicle has arrived yet.');
    return respondJson(c.req.raw, toReported(vehicle.vin, state));
  });
};
