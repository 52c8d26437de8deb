import { FleetScreen } from '@/components/screen/fleet-screen';
import { readRuntime } from '@/lib/runtime/runtime';

export const dynamic = 'force-dynamic';

export default function FleetPage() {
  return <FleetScreen tiles={readRuntime().env.tiles} />;
}
