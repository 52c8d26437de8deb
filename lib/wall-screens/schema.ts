import { z } from 'zod';
import { personNameSchema } from '../auth/schema';
import { usdotsSchema } from '../users/schema';

/** POST /api/screens. */
export const newWallScreenSchema = z.strictObject({ name: personNameSchema, usdots: usdotsSchema });
export type NewWallScreen = z.infer<typeof newWallScreenSchema>;

const wallScreenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The USDOT numbers whose fleets it may show; null: all. */
  usdots: z.array(z.string()).nullable(),
  madeBy: z.string(),
  createdAtMs: z.number(),
  /** About when it was last seen, and from where; null: never. */
  seenAtMs: z.number().nullable(),
  seenAddress: z.string().nullable(),
  /** Since when its link opens nothing; null: it does. */
  revokedAtMs: z.number().nullable(),
});
export type WallScreen = z.infer<typeof wallScreenSchema>;

export const wallScreensSchema = z.object({ screens: z.array(wallScreenSchema) });

/** What making one answers: its link's secret part, this once. */
export const madeWallScreenSchema = z.object({ screen: wallScreenSchema, token: z.string() });

/** POST /api/screen: makes a browser the screen of a link. */
export const openWallScreenSchema = z.strictObject({ token: z.string().min(1).max(200) });
