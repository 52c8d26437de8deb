import { addVehicle, changeVehicle, listDevices } from '@/lib/devices/server/devices';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { vehicleSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** Devices of the carrier that `usdot` names in the query. */
export const GET = createRoute(
  async (context) => {
    const usdot = new URL(context.request.url).searchParams.get('usdot');
    return listDevices(context, usdot);
  },
  { access: 'manager' },
);

export const POST = createRoute(
  async (context) => addVehicle(context, await readInput(context.request, vehicleSchema)),
  { access: 'manager' },
);

export const PATCH = createRoute(
  async (context) => changeVehicle(context, await readInput(context.request, vehicleSchema)),
  { access: 'manager' },
);
