import { usePathname } from 'next/navigation';
import { pastLabel } from '@/lib/view/format';
import { filterTexts } from '@/lib/view/filter-text';
import { carrierText } from '@/lib/view/text';
import { EVERYTHING } from '@/lib/view/view-state';
import { useCarrierAccount, useReading, useUsdot, useView } from '../fleet-state/fleet-context';
import { useIsMapShown } from '../fleet-state/map-link';
import { useOldCopy } from '../fleet-state/old-copy';
import { useSites } from '../fleet-state/sites';
import { PrintHead } from '../layout/print';
import { useClockMs } from '../ui/use-now';

/** The head of a printed page of a fleet: also the carrier, the moment that is shown, and what the trucks are filtered by. */
export const FleetPrintHead = () => {
  const usdot = useUsdot();
  const { name, numbers } = carrierText(usdot, useCarrierAccount());
  const { past, skewMs } = useReading();
  const old = useOldCopy();
  const clockMs = useClockMs();
  const filters = useFilters();
  const facts = [
    [name, numbers].filter(Boolean).join(' · '),
    past === null ? '' : pastLabel(past.atMs, clockMs),
    old === null ? '' : `As of ${old.at}`,
    filters.length === 0 ? '' : `Filter: ${filters.join(', ')}`,
  ];
  return <PrintHead skewMs={skewMs} facts={facts.filter(Boolean)} />;
};

/** What the trucks of the page are filtered by; the map by all of the view, the roster by its search alone. */
const useFilters = (): string[] => {
  const view = useView();
  const names = useSites() ?? [];
  const isMap = useIsMapShown();
  const isRoster = usePathname().endsWith('/roster');
  if (!isMap && !isRoster) return [];
  const filter = isMap ? view : { ...EVERYTHING, query: view.query };
  return filterTexts(filter, (id) => names.find((site) => site.id === id)?.name);
};
