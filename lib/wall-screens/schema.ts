import { z, personNameSchema } from '@/lib/base/zod';
import { usdotsSchema } from '../users/schema';
import { SCREEN_DISTANCES, type ScreenDisplay } from './distance';

/** POST /api/screens. */
export const newWallScreenSchema = z.strictObject({
  name: personNameSchema,
  usdots: usdotsSchema,
  distance: z.enum(SCREEN_DISTANCES).optional(),
  isRotating: z.boolean().optional(),
});
export type NewWallScreen = z.infer<typeof newWallScreenSchema>;

/** The query of GET /screen/:usdot, with which users see how a screen would look; anything else in it is ignored. */
export const displaySchema = z
  .object({ distance: z.enum(SCREEN_DISTANCES).catch('wall'), rotating: z.unknown().optional() })
  .transform(({ distance, rotating }) => ({ distance, isRotating: rotating === 'on' }));

/** The page of a fleet as a screen shows it, also for users, and for the demo, which stays signed in beside its screens. */
export const toScreenPath = (usdot: string, { distance, isRotating }: ScreenDisplay): string =>
  `/screen/${usdot}?distance=${distance}${isRotating ? '&rotating=on' : ''}`;

const wallScreenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The USDOT numbers of the fleets that it may show; null: all. */
  usdots: z.array(z.string()).nullable(),
  /** How far its viewers stand from it. */
  distance: z.enum(SCREEN_DISTANCES),
  /** Its map goes from region to region. */
  isRotating: z.boolean(),
  madeBy: z.string(),
  createdAtMs: z.number(),
  /** Approximate time and the address of the last request; null: none yet. */
  seenAtMs: z.number().nullable(),
  seenAddress: z.string().nullable(),
  /** The time of revocation; null: its link is valid. */
  revokedAtMs: z.number().nullable(),
});
export type WallScreen = z.infer<typeof wallScreenSchema>;

export const wallScreensSchema = z.object({ screens: z.array(wallScreenSchema) });

/** The answer to a created screen: it returns the link's token only once. */
export const madeWallScreenSchema = z.object({ screen: wallScreenSchema, token: z.string() });

/** The answer to an opened link: the page of the screen. */
export const openedWallScreenSchema = z.object({ path: z.string() });

/** POST /api/screen: turns a browser into the screen of a link. */
export const openWallScreenSchema = z.strictObject({ token: z.string().min(1).max(200) });
