import { dismissProgress, readProgress } from '@/lib/getting-started/server/progress';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'How far a carrier with own trucks has come.',
  access: 'manager',
  handle: readProgress,
});

export const DELETE = createRoute({
  summary: 'Hides the checklist for all managers.',
  access: 'manager',
  handle: dismissProgress,
});
