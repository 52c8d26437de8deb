import { NativeSelect, TextInput } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';
import type { ServedCarrier } from '@/lib/api-keys/schema';
import { splitUsdots } from '@/lib/users/text';

const FLEETS = [
  { value: 'all', label: 'All fleets' },
  { value: 'some', label: 'Only these USDOT numbers' },
];

export interface FleetValues {
  fleets: string;
  /** As typed. */
  usdots: string;
}

/**
 * @param usdots the fleets that are allowed now; null: all
 * @param ownUsdots the fleets that the manager may give; null: all
 */
export const toFleetValues = (
  usdots: readonly string[] | null,
  ownUsdots: readonly string[] | null,
): FleetValues => ({
  fleets: usdots === null && ownUsdots === null ? 'all' : 'some',
  usdots: usdots?.join(', ') ?? '',
});

/** The USDOT numbers that were chosen; null: all. */
export const toUsdots = ({ fleets, usdots }: FleetValues): string[] | null =>
  fleets === 'all' ? null : splitUsdots(usdots);

interface FleetFieldsProps {
  form: FormFields<FleetValues>;
  ownUsdots: readonly string[] | null;
}

export const FleetFields = ({ form: { values, field }, ownUsdots }: FleetFieldsProps) => (
  <>
    <NativeSelect label="Fleets" data={ownUsdots === null ? FLEETS : FLEETS.slice(1)} {...field('fleets')} />
    {values.fleets === 'some' ? (
      <TextInput
        label="USDOT numbers"
        description={ownUsdots === null ? 'Separated by commas or spaces' : `From ${ownUsdots.join(', ')}`}
        inputMode="numeric"
        autoComplete="off"
        {...field('usdots')}
      />
    ) : null}
  </>
);

export const toCarrierOptions = (carriers: readonly ServedCarrier[]) =>
  carriers.map(({ usdot, companyName }) => ({ value: usdot, label: `${companyName}, USDOT ${usdot}` }));

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
      data={toCarrierOptions(carriers)}
      onChange={(event) => onUsdot(event.currentTarget.value)}
    />
  ) : null;
