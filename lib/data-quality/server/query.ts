import 'server-only';
import { z } from '@/lib/base/zod';
import { reportSchema } from '@/lib/past/server/queries';
import { REPORT_PERIODS } from '@/lib/reports/periods';
import { QUALITY_GROUPS } from '../quality';

/** The query of a report, with what the figures are of, and how long the time of each is. */
export const qualitySchema = reportSchema.safeExtend({
  by: z.enum(QUALITY_GROUPS).default('provider'),
  each: z.enum(REPORT_PERIODS).default('range'),
});
