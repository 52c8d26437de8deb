import { FleetScreen } from '@/components/fleet/fleet-screen';
import { requireFleetPage } from '@/lib/http/page';
import { readRuntime } from '@/lib/http/runtime';

export const dynamic = 'force-dynamic';

export default async function FleetPage({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(decodeURIComponent((await params).usdot), 'map');
  return <FleetScreen tiles={readRuntime().env.tiles} />;
}
