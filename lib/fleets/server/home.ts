import 'server-only';
import { maySeeFleet, type Viewer } from '@/lib/base/viewer';
import { toProblem } from '@/lib/access/respond';
import type { Env } from '@/lib/config/env';
import type { Log } from '@/lib/base/log';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { parseUsdot } from '@/lib/identity/carrier-numbers';

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
