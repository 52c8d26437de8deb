import { createRoute } from '@/server/route';
import { requireVinOfFleet } from '@/lib/access/access';

export const GET = createRoute({
  summary: "The provider's answer for the carrier of a VIN.",
  access: 'units',
  params: ['usdot', 'vin'],
  handle: async (context) => {
    const { usdot, vin } = context;
    await requireVinOfFleet(context, context.viewer, usdot, vin);
    return context.readVinCarrier(usdot, vin);
  },
});
