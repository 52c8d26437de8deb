import 'server-only';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { Viewer } from '@/lib/auth/viewer';
import { requireAccess } from './access';
import type { SignedInAccess } from './access';
import { readDoor } from './door';
import { PATH_HEADER } from './page-door';
import { isAppError } from './problems';
import { readRuntime } from '@/server/runtime';

/** Who opens a page, whoever they are; null for nobody. @throws AppError 'accounts-unavailable' */
const readPageViewer = async (): Promise<Viewer | null> => {
  const asker = readDoor().toAsker(new Headers(await headers()));
  return (await readRuntime().accounts.authenticate(asker))?.viewer ?? null;
};

const requireViewer = async (access: SignedInAccess, usdot?: string): Promise<Viewer> => {
  const asked = new Headers(await headers());
  try {
    return await requireAccess(readRuntime(), readDoor().toAsker(asked), access, usdot);
  } catch (error) {
    if (isAppError(error, 'sign-in-needed')) {
      redirect(`/sign-in?next=${encodeURIComponent(asked.get(PATH_HEADER) ?? '/')}`);
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
  readRuntime().accounts.isInTheClear(readDoor().toAsker(new Headers(await headers())));

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
