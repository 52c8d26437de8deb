'use client';

import { AskedParameter } from '@/components/ui/asked-address';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { PlainPage } from '@/components/layout/plain-page';

/** The address of a vehicle's page names no VIN. */
export const NoSuchVin = () => (
  <PlainPage
    isFramed
    head="That is not a VIN"
    way={{ href: `/fleets/${useUsdot()}/roster`, words: 'See the roster' }}
  >
    <p>
      The address asks for the vehicle <AskedParameter name="vin" />. A VIN has 17 letters and digits, never
      I, O or Q.
    </p>
  </PlainPage>
);
