import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { VehiclePage } from '@/components/vehicle/vehicle-page';
import { parseVin } from '@/lib/identity/vin';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';
import { findRow, readUnitRow } from '@/lib/view/unit-row';

interface PageProps {
  params: Promise<{ usdot: string; vin: string }>;
}

export const generateMetadata = async ({ params }: PageProps): Promise<Metadata> => {
  const vin = parseVin(decodeURIComponent((await params).vin));
  return { title: vin === null ? 'No such VIN' : `VIN ${vin}` };
};

export default async function Page({ params }: PageProps) {
  const address = await params;
  const { viewer, usdot } = await requireFleetPage(params, 'units');
  const vin = parseVin(decodeURIComponent(address.vin));
  if (vin === null) notFound();
  const runtime = readRuntime();
  const first = await readFirstFleet(runtime, viewer, usdot);
  const unit = first && readUnitRow(first.fleet, findRow(first.fleet, vin));
  return <VehiclePage vin={vin} first={unit} tiles={runtime.map.tiles} />;
}
