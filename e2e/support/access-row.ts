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

export interface AccessRow {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  gets: Record<AccessClient, Outcome>;
}

/** The same for each viewer. */
export const all = (outcome: Outcome): AccessRow['gets'] =>
  Object.fromEntries(CLIENTS.map((client) => [client, outcome])) as AccessRow['gets'];

type SignedIn = Pick<AccessRow['gets'], 'dispatcher' | 'limited' | 'manager' | 'screen'> &
  Partial<Pick<AccessRow['gets'], 'tagged'>>;

/**
 * What signed-in viewers get from a route; others are refused, and so is a user who lacks a second factor. A user who
 * sees some units gets what other dispatchers get, unless that is given.
 */
export const signedIn = (gets: SignedIn): AccessRow['gets'] => ({
  ...all(401),
  unguarded: 403,
  tagged: gets.dispatcher,
  ...gets,
});

/** From a route about a whole fleet. */
export const wholeFleet = (gets: SignedIn): AccessRow['gets'] => signedIn({ ...gets, tagged: 403 });

/** From a route of the user's own account, where a second factor is set up. */
export const owner = (gets: Omit<SignedIn, 'screen'>): AccessRow['gets'] => ({
  ...signedIn({ ...gets, screen: 403 }),
  unguarded: gets.manager,
});

/** From a page. */
export const page = (gets: SignedIn): AccessRow['gets'] => ({
  ...all('sign-in'),
  unguarded: 'account',
  tagged: gets.dispatcher,
  ...gets,
});
