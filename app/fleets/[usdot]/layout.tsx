import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { FleetShell } from '@/components/screen/fleet-shell';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { readBuildId } from '@/lib/runtime/build-id';
import { readRuntime } from '@/lib/runtime/runtime';

export const dynamic = 'force-dynamic';

interface FleetLayoutProps {
  params: Promise<{ usdot: string }>;
  children: ReactNode;
}

export const generateMetadata = async ({ params }: FleetLayoutProps): Promise<Metadata> => {
  const usdot = parseUsdot(decodeURIComponent((await params).usdot));
  return usdot === null || !readRuntime().hasFleet(usdot)
    ? { title: 'No such fleet' }
    : { title: { default: `USDOT ${usdot}`, template: '%s · Linehaul' } };
};

export default async function FleetLayout({ params, children }: FleetLayoutProps) {
  const usdot = parseUsdot(decodeURIComponent((await params).usdot));
  const { env, hasFleet } = readRuntime();
  if (usdot === null || !hasFleet(usdot)) notFound();
  return (
    <FleetShell
      // Nothing of one fleet's view is carried over to another.
      key={usdot}
      usdot={usdot}
      source={env.providers.length === 0 ? 'embedded' : 'provider'}
      hasOtherFleets={env.providers.length > 1}
      build={readBuildId()}
    >
      {children}
    </FleetShell>
  );
}
