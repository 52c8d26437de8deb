import { z } from 'zod';

/** A dispatcher sees map, list, vehicles and roster; a manager also users, keys, devices, status and settings. */
export const ROLES = ['dispatcher', 'manager'] as const;
export type Role = (typeof ROLES)[number];

export const viewerSchema = z.object({
  /** A signed-in user, whoever opens the demo on its own machine, or a wall screen. */
  kind: z.enum(['user', 'demo', 'screen']),
  /** Of the user or the wall screen; null for the demo. */
  id: z.string().nullable(),
  name: z.string(),
  /** Null where there is no account behind the viewer. */
  email: z.string().nullable(),
  role: z.enum(ROLES),
  /** The USDOT numbers whose fleets may be seen, without leading zeros; null: all of them. */
  usdots: z.array(z.string()).nullable(),
});

/** Who looks. */
export type Viewer = z.infer<typeof viewerSchema>;

/** Whether a viewer may see the fleet of a USDOT number, written without leading zeros. */
export const maySeeFleet = ({ usdots }: Pick<Viewer, 'usdots'>, usdot: string): boolean =>
  usdots === null || usdots.includes(usdot);
