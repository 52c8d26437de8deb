import type { SignedInAccess, OpenAccess } from '@/lib/access/access';

/** The viewers in the table of what each gets. */
export const CLIENTS = [
  'anonymous',
  'dispatcher',
  /** A dispatcher whose scope is another USDOT number only. */
  'limited',
  /** A dispatcher who sees only the units with a tag: VIN_PLACE has it, OUTSIDE_PLACE does not. */
  'tagged',
  'manager',
  /** A manager who signs in by password and has no second factor, where managers need one. */
  'unguarded',
  /** A wall screen of the fleet. */
  'screen',
  /** A manager whose session has expired. */
  'expired',
  /** A manager who was disabled, with a session that was not ended. */
  'disabled',
  /** A program with an API key of another carrier, and no session. */
  'otherKey',
] as const;
export type AccessClient = (typeof CLIENTS)[number];

/**
 * A status; `sign-in`: redirects to the sign-in page, to return afterwards; `account`: redirects to the
 * user's own account.
 */
export type Outcome = number | 'sign-in' | 'account';
export type Outcomes = Record<AccessClient, Outcome>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Access = SignedInAccess | OpenAccess | 'program';

export interface AccessRow {
  method?: Method;
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  gets: Outcomes;
}

/** The same for each viewer. */
export const all = (outcome: Outcome): Outcomes =>
  Object.fromEntries(CLIENTS.map((client) => [client, outcome])) as Outcomes;

/** What each viewer gets from a route, by its access: `status` is that of those whom it lets in. */
export const toOutcomes = (access: Access, method: Method, status: number): Outcomes => {
  if (access === 'anyone' || access === 'token') return all(status);
  // Only a key for loads opens it.
  if (access === 'program') return all(401);
  const isRead = method === 'GET';
  const users = { dispatcher: status, tagged: status, limited: status, manager: status };
  // Without a session, and without the second factor that a manager needs.
  const closed = { ...all(401), unguarded: 403 };
  const ofFleet = { ...closed, ...users, limited: 404, screen: 403 };
  switch (access) {
    case 'viewer':
      return { ...closed, ...users, screen: isRead ? status : 403 };
    case 'account':
      return { ...closed, ...users, unguarded: status, screen: 403 };
    case 'manager':
      return { ...closed, dispatcher: 403, tagged: 403, limited: 403, manager: status, screen: 403 };
    case 'map':
      return { ...ofFleet, screen: isRead ? status : 403 };
    case 'units':
      return ofFleet;
    case 'fleet':
      return { ...ofFleet, tagged: 403 };
  }
};

/** What each viewer gets from a page, by what its code requires; it has no problem document, so what is refused is not found. */
export const toPageOutcomes = (access: Access): Outcomes => {
  const shown = (client: AccessClient): Outcome => {
    const outcome = toOutcomes(access, 'GET', 200)[client];
    if (outcome === 401) return 'sign-in';
    if (client === 'unguarded' && outcome === 403) return 'account';
    return outcome === 403 ? 404 : outcome;
  };
  return Object.fromEntries(CLIENTS.map((client) => [client, shown(client)])) as Outcomes;
};
