import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { requireEndpoint, requireOwnUsdot } from '../access/auth';
import { createRepresentation, PRIVATE, respond } from '../answer/representation';
import type { ServiceContext, ServiceEnv } from '../context';
import { unitParamsSchema } from '../contract';
import { ServiceProblem } from '../problem';
import type { ReportedState } from '../store/fixes/positions';
import { readOwnVehicle } from './endpoints';
import { SECURITY, toResponses } from './responses';

const nullableNumber = (description: string, example: number) =>
  z.number().nullable().openapi({ description, example });

const nullableTime = (description: string, example: string | null) =>
  z.iso.datetime().nullable().openapi({ description, example });

/** What the contract of the five endpoints has no field for. An unknown field is null, never absent. */
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
  responses: toResponses('What the device reported.', reportedSchema, [
    'malformed_usdot',
    'malformed_vin',
    'other_carrier',
    'unknown_vin',
    'never_reported',
  ]),
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

/** Endpoints that the contract of the five does not have. */
export const addExtensions = (app: OpenAPIHono<ServiceEnv>, { store }: ServiceContext): void => {
  app.openapi(reportedRoute, async (c) => {
    const { usdot, vin } = c.req.valid('param');
    requireOwnUsdot(usdot, c.get('usdot'));
    const vehicle = await readOwnVehicle(store, usdot, vin);
    const state = await store.devices.readReported(vehicle.id);
    if (state === null)
      throw new ServiceProblem('never_reported', 'No report of this vehicle has arrived yet.');
    return respond(c.req.raw, createRepresentation(JSON.stringify(toReported(vehicle.vin, state))), PRIVATE);
  });
};
