import type { Metadata } from 'next';
import { WallScreen } from '@/components/wall/wall-screen';
import { hasOtherFleets } from '@/lib/fleets/server/fleet-list';
import { displaySchema } from '@/lib/wall-screens/schema';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

interface ScreenPageProps {
  params: Promise<{ usdot: string }>;
  searchParams: Promise<Record<string, unknown>>;
}

export const metadata: Metadata = { title: 'Wall screen' };

/** A fleet as a wall screen shows it; users see with the query how theirs would look. */
export default async function Page({ params, searchParams }: ScreenPageProps) {
  const { viewer, usdot } = await requireFleetPage(params, 'map');
  const { env, versions, map, screens } = readRuntime();
  const display = (await screens.readDisplay(viewer)) ?? displaySchema.parse(await searchParams);
  return (
    <WallScreen
      // The key resets the state when the fleet changes.
      key={usdot}
      usdot={usdot}
      isDemo={env.source === 'demo'}
      hasOtherFleets={viewer.kind === 'screen' && hasOtherFleets(env, viewer)}
      build={versions.build}
      viewer={viewer}
      tiles={map.tiles}
      display={display}
    />
  );
}
