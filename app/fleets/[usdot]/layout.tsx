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
  return usdot === null
    ? { title: 'No such USDOT number' }
    : { title: { default: `USDOT ${usdot}`, template: '%s · Linehaul' } };
};

export default async function FleetLayout({ params, children }: FleetLayoutProps) {
  const usdot = parseUsdot(decodeURIComponent((await params).usdot));
  if (usdot === null) notFound();
  const source = readRuntime().env.provider === null ? 'embedded' : 'provider';
  return (
    <FleetShell usdot={usdot} source={source} build={readBuildId()}>
      {children}
    </FleetShell>
  );
}
