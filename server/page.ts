import 'server-only';
import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { Client, Viewer } from '@/lib/base/viewer';
import { LAST_FLEET_COOKIE } from '@/lib/base/http/protocol';
import { readLastFleet } from '@/lib/fleets/server/fleet-list';
import { UNKNOWN_CONTEXT, readRequestContext, readRuntime } from './runtime';
import { toClient } from './route';
import { requireAccess, type SignedInAccess } from '@/lib/access/access';
import { isAppError } from '@/lib/base/http/problems';

/** Next.js adds this parameter to the address of a page fetch. */
const FETCH_PARAMETER = '_rsc';

/** A page's path and query, to come back to it after signing in. */
const toReturnPath = (target: string): string => {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  searchParams.delete(FETCH_PARAMETER);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
};

const readClient = async (): Promise<Client> => toClient(new Headers(await headers()));

/** The viewer of a page; null without a session. @throws AppError 'accounts-unavailable' */
const readPageViewer = async (): Promise<Viewer | null> => {
  const client = await readClient();
  return (await readRuntime().auth.authenticate(client))?.viewer ?? null;
};

const requireViewer = async (access: SignedInAccess, usdot?: string): Promise<Viewer> => {
  try {
    return await requireAccess(readRuntime(), await readClient(), access, { usdot });
  } catch (error) {
    if (isAppError(error, 'sign-in-needed')) {
      const { target } = readRequestContext() ?? UNKNOWN_CONTEXT;
      redirect(`/sign-in?next=${encodeURIComponent(toReturnPath(target))}`);
    }
    if (isAppError(error, 'second-factor-needed')) redirect('/account');
    if (isAppError(error, 'managers-only', 'not-for-screens', 'whole-fleet-only', 'unknown-fleet'))
      notFound();
    throw error;
  }
};

/** The viewer of a page; redirects to sign-in without a session, and answers 404 without permission. */
export const requirePage = (access: 'viewer' | 'manager' | 'account'): Promise<Viewer> =>
  requireViewer(access);

/** The viewer and USDOT number of a fleet page; answers 404 for a fleet out of scope. */
export const requireFleetPage = async (
  params: Promise<{ usdot: string }>,
  access: 'map' | 'units' | 'fleet',
): Promise<{ viewer: Viewer; usdot: string }> => {
  const text = decodeURIComponent((await params).usdot);
  const viewer = await requireViewer(access, text);
  const usdot = parseUsdot(text);
  return usdot === null ? notFound() : { viewer, usdot };
};

/**
 * The viewer of a page that belongs to no fleet, and the USDOT number of the fleet whose bar it shows: null for a wall
 * screen, without a fleet, and until a second factor is set up. Null without a session.
 *
 * @throws AppError 'accounts-unavailable'
 */
export const readPageShell = async (): Promise<{ viewer: Viewer; usdot: string | null } | null> => {
  const runtime = readRuntime();
  const signedIn = await runtime.auth.authenticate(await readClient());
  if (signedIn === null) return null;
  const { viewer, needsSecondFactor } = signedIn;
  if (needsSecondFactor || viewer.kind === 'screen') return { viewer, usdot: null };
  const last = (await cookies()).get(LAST_FLEET_COOKIE)?.value ?? '';
  return { viewer, usdot: readLastFleet(runtime, viewer, parseUsdot(last)) };
};

/** Whether input on a page may be read on its way here, because the connection is plain HTTP. */
export const isPageInTheClear = async (): Promise<boolean> =>
  readRuntime().auth.isInTheClear(await readClient());

/** The state that a page for visitors without a session needs; `isAway`: the database is, and sign-in is impossible. */
export const readSignInState = async () => {
  const { auth, linkTokens, env } = readRuntime();
  const { canMail } = linkTokens;
  const isDemo = auth.mode === 'demo';
  const hasOidc = env.oidc !== null;
  const isInTheClear = await isPageInTheClear();
  const known = { isDemo, isInTheClear, hasOidc, canMail };
  try {
    const [viewer, isSetUpOpen] = await Promise.all([readPageViewer(), auth.isSetUpOpen()]);
    return { viewer, isSetUpOpen, isAway: false, ...known };
  } catch (error) {
    if (!isAppError(error, 'accounts-unavailable')) throw error;
    return { viewer: null, isSetUpOpen: false, isAway: true, ...known };
  }
};
