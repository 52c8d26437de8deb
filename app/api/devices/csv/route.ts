import { z } from '@/lib/base/zod';
import { exportVehicles } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "A carrier's vehicles as a file to save, edit and import again.",
  access: 'manager',
  query: z.strictObject({ usdot: z.string().max(20) }),
  handle: async (context) =>
    new Response(await exportVehicles(context, context.query.usdot), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="linehaul-vehicles.csv"',
        'cache-control': 'no-store',
      },
    }),
});
