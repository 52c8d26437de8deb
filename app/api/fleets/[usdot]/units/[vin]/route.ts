import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "The provider's answer for one unit.",
  access: 'units',
  params: ['usdot', 'vin'],
  handle: ({ usdot, vin, readUnit }) => readUnit(usdot, vin),
});
