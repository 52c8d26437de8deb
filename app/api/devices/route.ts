import { addVehicle, changeVehicle, listDevices, removeVehicle } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';
import { carrierQuerySchema, removedVehicleSchema, vehicleSchema } from '@/lib/devices/schema';

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
  summary: 'Changes a vehicle, its device and its contacts.',
  access: 'manager',
  body: vehicleSchema,
  handle: (context) => changeVehicle(context, context.body),
});

export const DELETE = createRoute({
  summary: 'Removes a vehicle with all that it has reported, and its contacts.',
  access: 'manager',
  body: removedVehicleSchema,
  handle: (context) => removeVehicle(context, context.body),
});
