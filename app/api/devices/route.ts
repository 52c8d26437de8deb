import { addVehicle, changeVehicle, listDevices } from '@/lib/runtime/devices';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { toNoContent } from '@/lib/runtime/no-content';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { vehicleSchema } from '@/lib/wire/devices';

export const dynamic = 'force-dynamic';

/** Of the carrier that `usdot` names in the query. */
export const GET = createRoute(
  async (asked) => {
    const usdot = new URL(asked.request.url).searchParams.get('usdot');
    return toJsonResponse(asked.request, await listDevices(asked, usdot));
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
