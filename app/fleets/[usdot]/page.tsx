import { FleetScreen } from '@/components/screen/fleet-screen';
import { requireFleetPage } from '@/lib/runtime/page';
import { readRuntime } from '@/lib/runtime/runtime';

export const dynamic = 'force-dynamic';

export default async function FleetPage({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(decodeURIComponent((await params).usdot), 'map');
  return <FleetScreen tiles={readRuntime().env.tiles} />;
}
