import { z } from 'zod';
import { readFleetGrades } from '@/lib/loads/server/grades';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'How often the arrival windows of the last days held, by the time before arrival, and the worst cases.',
  access: 'fleet',
  params: ['usdot'],
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(400).default(30) }),
  handle: (context) => readFleetGrades(context, context.usdot, context.query),
});
