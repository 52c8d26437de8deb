import { redirect } from 'next/navigation';
import { PlainPage } from '@/components/layout/plain-page';
import { Retry } from '@/components/ui/retry';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { requirePage } from '@/lib/http/page';
import { toProblem } from '@/lib/http/respond';
import { readRuntime } from '@/lib/http/runtime';
import { maySeeFleet } from '@/lib/auth/viewer';
import type { Viewer } from '@/lib/auth/viewer';

export const dynamic = 'force-dynamic';

/** The USDOT number to open first, one in the viewer's scope, or why none is known. */
const readHome = async (viewer: Viewer): Promise<{ usdot: string } | { problem: string }> => {
  const { env, readAccount, hasFleet, log } = readRuntime();
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

export default async function HomePage() {
  const home = await readHome(await requirePage('viewer'));
  if ('usdot' in home) redirect(`/fleets/${home.usdot}`);
  return (
    <PlainPage head="Whose fleet?" actions={<Retry />}>
      <p>
        Linehaul opens the fleet of the carrier that its tracking account belongs to. It could not be asked
        for:
      </p>
      <p>
        <b>{home.problem}</b>
      </p>
    </PlainPage>
  );
}
