/** A dispatcher sees a fleet and changes its sites, notes and tags; a manager also sees users, keys, devices, status and settings. */
export const ROLES = ['dispatcher', 'manager'] as const;
export type Role = (typeof ROLES)[number];

/** The user, demo, wall screen or program that a request belongs to. */
export interface Viewer {
  /** A signed-in user, the demo on its own machine, a wall screen, or a program with a key for loads. */
  kind: 'user' | 'demo' | 'screen' | 'program';
  /** Id of the user, the wall screen or the key; null for the demo. */
  id: string | null;
  name: string;
  /** Null if the viewer has no account. */
  email: string | null;
  role: Role;
  /** The USDOT numbers in the viewer's scope, without leading zeros; null: all. */
  usdots: string[] | null;
  /** The tags of which a unit needs one to be in the viewer's scope; null: all units. Managers see all. */
  tags: string[] | null;
}

/** Whether a viewer may see the fleet of a USDOT number, written without leading zeros. */
export const maySeeFleet = ({ usdots }: Pick<Viewer, 'usdots'>, usdot: string): boolean =>
  usdots === null || usdots.includes(usdot);

/** The client of a request, before any sign-in. */
export interface Client {
  headers: Headers;
  /** The client's network address; an IPv6 address as its network prefix. */
  address: string;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser's connection is TLS. */
  isTls: boolean;
}
