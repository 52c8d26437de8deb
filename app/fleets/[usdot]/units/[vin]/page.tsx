import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { VehiclePage } from '@/components/vehicle/vehicle-page';
import { parseVin } from '@/lib/identity/vin';
import { requireFleetPage } from '@/lib/http/page';
import { readRuntime } from '@/lib/http/runtime';

export const dynamic = 'force-dynamic';

interface PageProps {
  params: Promise<{ usdot: string; vin: string }>;
}

export const generateMetadata = async ({ params }: PageProps): Promise<Metadata> => {
  const vin = parseVin(decodeURIComponent((await params).vin));
  return { title: vin === null ? 'No such VIN' : `VIN ${vin}` };
};

export default async function Page({ params }: PageProps) {
  const asked = await params;
  await requireFleetPage(decodeURIComponent(asked.usdot), 'fleet');
  const vin = parseVin(decodeURIComponent(asked.vin));
  if (vin === null) notFound();
  return <VehiclePage vin={vin} tiles={readRuntime().env.tiles} />;
}
