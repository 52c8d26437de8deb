import { z } from '@/lib/base/zod';
import { exportVehicles } from '@/lib/devices/server/devices';
import { readQuery } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

const querySchema = z.strictObject({ usdot: z.string().max(20) });

/** A carrier's vehicles as a file to save, edit and import again. */
export const GET = createRoute(
  async (context) => {
    const { usdot } = readQuery(context.request, querySchema);
    return new Response(await exportVehicles(context, usdot), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="linehaul-vehicles.csv"',
        'cache-control': 'no-store',
      },
    });
  },
  { access: 'manager' },
);
