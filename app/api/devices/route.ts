import { addVehicle, changeVehicle, listDevices } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';
import { carrierQuerySchema, vehicleSchema } from '@/lib/devices/schema';

export const GET = createRoute({
  summary: 'The vehicles and devices of a carrier.',
  access: 'manager',
  query: carrierQuerySchema,
  handle: (context) => listDevices(context, context.query.usdot ?? null),
});

export const POST = createRoute({
  summary: 'Adds a vehicle.',
  access: 'manager',
  body: vehicleSchema,
  handle: (context) => addVehicle(context, context.body),
});

export const PATCH = createRoute({
  summary: 'Changes the truck number and the device of a vehicle.',
  access: 'manager',
  body: vehicleSchema,
  handle: (context) => changeVehicle(context, context.body),
});
