import 'server-only';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { Client } from '@/lib/auth/server/client';
import type { Viewer } from '@/lib/auth/viewer';
import { UNKNOWN_CONTEXT } from './request-context';
import { toClient } from './route';
import { readRequestContext, readRuntime } from './runtime';
import { requireAccess } from './access';
import type { SignedInAccess } from './access';
import { isAppError } from './problems';

/** Next.js adds it to the address of what it fetches of a page. */
const FETCHED_PART = '_rsc';

/** A page's path and query, to come back to it after signing in. */
const toAskedPath = (target: string): string => {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  searchParams.delete(FETCHED_PART);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
};

const readClient = async (): Promise<Client> => toClient(new Headers(await headers()));

/** Who opens a page, whoever they are; null for nobody. @throws AppError 'accounts-unavailable' */
const readPageViewer = async (): Promise<Viewer | null> => {
  const client = await readClient();
  return (await readRuntime().accounts.authenticate(client))?.viewer ?? null;
};

const requireViewer = async (access: SignedInAccess, usdot?: string): Promise<Viewer> => {
  try {
    return await requireAccess(readRuntime(), await readClient(), access, usdot);
  } catch (error) {
    if (isAppError(error, 'sign-in-needed')) {
      const { target } = readRequestContext() ?? UNKNOWN_CONTEXT;
      redirect(`/sign-in?next=${encodeURIComponent(toAskedPath(target))}`);
    }
    if (isAppError(error, 'second-factor-needed')) redirect('/account');
    if (isAppError(error, 'managers-only', 'not-for-screens', 'unknown-fleet')) notFound();
    throw error;
  }
};

/** Who opens a page; who is not signed in goes to sign in, and for who may not there is no such page. */
export const requirePage = (access: 'viewer' | 'manager' | 'account'): Promise<Viewer> =>
  requireViewer(access);

/**
 * Who opens a page of a fleet, and its USDOT number as `text` of the address says it: one that may be seen, or no page.
 * A wall screen sees the map alone.
 */
export const requireFleetPage = async (
  text: string,
  access: 'map' | 'fleet',
): Promise<{ viewer: Viewer; usdot: string }> => {
  const viewer = await requireViewer(access, text);
  const usdot = parseUsdot(text);
  return usdot === null ? notFound() : { viewer, usdot };
};

/** Whether what is typed into a page may be read on its way here. */
export const isPageInTheClear = async (): Promise<boolean> =>
  readRuntime().accounts.isInTheClear(await readClient());

export interface SignInState {
  /** Null for nobody. */
  viewer: Viewer | null;
  /** The first manager is still to be made. */
  isSetUpOpen: boolean;
  /** Nobody can sign in, because the database is away. */
  isAway: boolean;
  /** The server shows its demo to its own machine, and asks nobody to sign in. */
  isDemo: boolean;
  /** What is typed may be read on its way here. */
  isInTheClear: boolean;
  /** People may sign in at a provider of identities. */
  hasOidc: boolean;
  /** The server sends links to a new password by mail. */
  canMail: boolean;
}

/** What a page has to know that is there for who is not signed in. */
export const readSignInState = async (): Promise<SignInState> => {
  const { accounts, env } = readRuntime();
  const { canMail } = accounts;
  const isDemo = accounts.mode === 'demo';
  const hasOidc = env.oidc !== null;
  const isInTheClear = await isPageInTheClear();
  const known = { isDemo, isInTheClear, hasOidc, canMail };
  try {
    const [viewer, isSetUpOpen] = await Promise.all([readPageViewer(), accounts.isSetUpOpen()]);
    return { viewer, isSetUpOpen, isAway: false, ...known };
  } catch (error) {
    if (!isAppError(error, 'accounts-unavailable')) throw error;
    return { viewer: null, isSetUpOpen: false, isAway: true, ...known };
  }
};
