import { NativeSelect } from '@mantine/core';
import type { ServedCarrier } from '@/lib/api-keys/schema';

interface CarrierSelectProps {
  carriers: readonly ServedCarrier[];
  usdot: string;
  onUsdot: (usdot: string) => void;
}

/** The carrier whose devices are listed; nothing where there is only one. */
export const CarrierSelect = ({ carriers, usdot, onUsdot }: CarrierSelectProps) =>
  carriers.length > 1 ? (
    <NativeSelect
      label="Carrier"
      flex="1 1 240px"
      maw={320}
      value={usdot}
      data={carriers.map((each) => ({
        value: each.usdot,
        label: `${each.companyName}, USDOT ${each.usdot}`,
      }))}
      onChange={(event) => onUsdot(event.currentTarget.value)}
    />
  ) : null;
