/** A dispatcher sees map, list, vehicles and roster; a manager also users, keys, devices, status and settings. */
export const ROLES = ['dispatcher', 'manager'] as const;
export type Role = (typeof ROLES)[number];

/** Who looks. */
export interface Viewer {
  /** A signed-in user, whoever opens the demo on its own machine, or a wall screen. */
  kind: 'user' | 'demo' | 'screen';
  /** Of the user or the wall screen; null for the demo. */
  id: string | null;
  name: string;
  /** Null where there is no account behind the viewer. */
  email: string | null;
  role: Role;
  /** The USDOT numbers whose fleets may be seen, without leading zeros; null: all of them. */
  usdots: string[] | null;
}

/** Whether a viewer may see the fleet of a USDOT number, written without leading zeros. */
export const maySeeFleet = ({ usdots }: Pick<Viewer, 'usdots'>, usdot: string): boolean =>
  usdots === null || usdots.includes(usdot);
