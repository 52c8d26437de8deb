import { z } from '@/lib/base/zod';

/** GET /api/getting-started: how far a carrier with own trucks has come. */
export const progressSchema = z.object({
  /** False once it is dismissed or complete, for other sources, and for managers of some fleets. */
  isShown: z.boolean(),
  vehicles: z.number(),
  /** There is a token with which devices report: a QR code was shown, or a tracker set up. */
  hasToken: z.boolean(),
  /** When a device reached this server last, whatever it reported; null before the first. */
  connectedAtMs: z.number().nullable(),
  /** When the newest position arrived; null before the first. */
  reportedAtMs: z.number().nullable(),
  /** Other users and open invitations. */
  colleagues: z.number(),
  /** Browsers reach the server by TLS. */
  isEncrypted: z.boolean(),
});
export type Progress = z.infer<typeof progressSchema>;
