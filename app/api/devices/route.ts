import { addVehicle, changeVehicle, listDevices } from '@/lib/devices/server/devices';
import { toJsonResponse } from '@/lib/http/json-response';
import { toNoContent } from '@/lib/http/no-content';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { vehicleSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** Devices of the carrier that `usdot` names in the query. */
export const GET = createRoute(
  async (asked) => {
    const usdot = new URL(asked.request.url).searchParams.get('usdot');
    return toJsonResponse(await listDevices(asked, usdot));
  },
  { access: 'manager' },
);

export const POST = createRoute(
  async (asked) => {
    await addVehicle(asked, await readInput(asked.request, vehicleSchema));
    return toNoContent();
  },
  { access: 'manager' },
);

export const PATCH = createRoute(
  async (asked) => {
    await changeVehicle(asked, await readInput(asked.request, vehicleSchema));
    return toNoContent();
  },
  { access: 'manager' },
);
