import 'server-only';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { FleetList } from '@/lib/fleets/schema';
import type { AccountStatus } from '@/lib/status/schema';
import { maySeeFleet, type Viewer } from '@/lib/base/viewer';
import type { Env } from '@/lib/config/env';
import { toSeenAccount, type AccountState } from '@/lib/status/server/server-status';
import { toProblem } from '@/lib/access/respond';
import type { Log } from '@/lib/base/log';
import type { CarrierAccount } from '@/lib/wire/fleet';

type Limits = Pick<Viewer, 'usdots'>;

/** The fleets of an account; the only account serves every fleet in a limited viewer's scope. */
const toUsdots = ({ usdot, account }: AccountStatus, isOnly: boolean, { usdots }: Limits): string[] => {
  if (isOnly && usdots !== null) return usdots;
  // An account without a configured USDOT number serves the fleet of its carrier.
  const own = usdot ?? parseUsdot(account?.usdot ?? '');
  return own === null ? [] : [own];
};

/** The fleets in the viewer's scope. It does not wait: an account that has not been read yet has no name. */
export const readFleetList = (
  { peekAccounts }: { peekAccounts: () => AccountState[] },
  viewer: Limits,
): FleetList => {
  const accounts = peekAccounts().map((state) => toSeenAccount(state, viewer));
  const fleets = accounts.flatMap((each) =>
    toUsdots(each, accounts.length === 1, viewer).map((usdot) => ({
      usdot,
      account: each.account,
      problem: each.problem,
    })),
  );
  return { fleets: fleets.filter(({ usdot }) => maySeeFleet(viewer, usdot)) };
};

/** Whether a viewer has more than one fleet to choose from. */
export const hasOtherFleets = ({ providers }: Pick<Env, 'providers'>, viewer: Limits): boolean => {
  if (providers.length <= 1) return viewer.usdots !== null && viewer.usdots.length > 1;
  return providers.filter(({ usdot }) => usdot !== null && maySeeFleet(viewer, usdot)).length > 1;
};

/** The USDOT number of the fleet that a viewer saw last, else of the first that is known at once; null for none. It does not wait. */
export const readLastFleet = (
  source: Pick<HomeSource, 'env' | 'hasFleet'> & Parameters<typeof readFleetList>[0],
  viewer: Viewer,
  last: string | null,
): string | null => {
  const known = [last, source.env.homeUsdot, ...(viewer.usdots ?? [])];
  const isSeen = (usdot: string | null): usdot is string =>
    usdot !== null && maySeeFleet(viewer, usdot) && source.hasFleet(usdot);
  return known.find(isSeen) ?? readFleetList(source, viewer).fleets[0]?.usdot ?? null;
};

interface HomeSource {
  env: Env;
  log: Log;
  hasFleet: (usdot: string) => boolean;
  /** The first account's carrier. */
  readAccount: () => Promise<CarrierAccount>;
}

/** The USDOT number to open first, one in the viewer's scope, or why none is known. */
export const readHome = async (
  { env, readAccount, hasFleet, log }: HomeSource,
  viewer: Viewer,
): Promise<{ usdot: string } | { problem: string }> => {
  if (viewer.usdots !== null) {
    const [first] = viewer.usdots.filter(hasFleet);
    if (first === undefined)
      return { problem: 'Your account may see no fleet yet. A manager can change that.' };
    const isHomeSeen = env.homeUsdot !== null && maySeeFleet(viewer, env.homeUsdot);
    return { usdot: isHomeSeen ? env.homeUsdot! : first };
  }
  if (env.homeUsdot !== null) return { usdot: env.homeUsdot };
  try {
    const account = await readAccount();
    const usdot = parseUsdot(account.usdot);
    return usdot === null
      ? { problem: `The account ${account.companyName} has no usable USDOT number. Set TRACKING_USDOT.` }
      : { usdot };
  } catch (error) {
    log.error({ err: error }, 'The account could not be read.');
    const { title, detail } = toProblem(error);
    return { problem: detail ?? title };
  }
};
