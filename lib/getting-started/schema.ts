import { z } from '@/lib/base/zod';

/** GET /api/getting-started: how far a carrier with own trucks has come. */
export const progressSchema = z.object({
  /** False once it is dismissed or complete, for other sources, and for managers of some fleets. */
  isShown: z.boolean(),
  vehicles: z.number(),
  /** Vehicles with a device ID, once there is a token that their devices report with. */
  devices: z.number(),
  /** When the newest report arrived; null before the first. */
  reportedAtMs: z.number().nullable(),
  /** Other users and open invitations. */
  colleagues: z.number(),
  /** Browsers reach the server by TLS. */
  isEncrypted: z.boolean(),
});
export type Progress = z.infer<typeof progressSchema>;
