import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { SuggestField } from '@/components/ui/suggest-field';
import { useTruckName } from '@/components/fleet-state/use-trucks';
import type { FormFields } from '@/components/ui/api-form';
import { BareButton } from '@/components/ui/bare-button';
import { useLoads } from '@/lib/loads/queries';
import { findLoads } from '@/lib/loads/text';
import { MOST_SHARED } from '@/lib/shares/schema';
import { findBestMatches, searchRows } from '@/lib/view/search';
import { unitName } from '@/lib/view/unit-name';
import { itemOfLoad, itemOfTruck, type ItemValues, type ShareValues } from './share-values';
import styles from './shares.module.css';

const MOST_FOUND = 5;

/** The loads under way and the trucks that a text finds, by what the list calls them. */
const useFound = (typed: string): Map<string, ItemValues> => {
  const { fleet } = useReading();
  const loads = useLoads(useUsdot()).data?.loads;
  const nameOf = useTruckName();
  return useMemo(() => {
    const query = typed.trim();
    if (query === '') return new Map();
    const underWay = (loads ?? []).filter(({ endedMs }) => endedMs === null);
    const found = findLoads(underWay, query, nameOf)
      .slice(0, MOST_FOUND)
      .map((load): [string, ItemValues] => [
        `Load ${load.reference}${load.customer === '' ? '' : ` · ${load.customer}`}`,
        itemOfLoad(load),
      ]);
    const rows = fleet === null ? null : searchRows(fleet, query, null);
    const best = fleet === null || rows === null ? [] : findBestMatches(fleet, rows, query);
    const trucks = Array.from(best.length > 0 ? best : (rows ?? []))
      .slice(0, MOST_FOUND)
      .flatMap((row) => fleet?.identities[row] ?? [])
      .map((identity): [string, ItemValues] => [
        `Truck ${unitName(identity)}`,
        itemOfTruck(identity.key, unitName(identity)),
      ]);
    return new Map([...found, ...trucks]);
  }, [typed, fleet, loads, nameOf]);
};

const keyOf = ({ loadId, unit }: Pick<ItemValues, 'loadId' | 'unit'>): string => unit ?? String(loadId);

/** The loads and trucks of a link, to which more can be added. */
export const ItemFields = ({ form: { values, field } }: { form: FormFields<ShareValues> }) => {
  const { items } = values;
  const [typed, setTyped] = useState<string | null>(null);
  const found = useFound(typed ?? '');
  const set = (next: ItemValues[]): void => field('items').onChange(next);
  const add = (item: ItemValues): void => {
    setTyped('');
    if (!items.some((each) => keyOf(each) === keyOf(item))) set([...items, item]);
  };
  return (
    <div className={styles.items}>
      <ul className={`lh-list ${styles.pills}`} aria-label="What it shows">
        {items.map((item, i) => (
          <li key={keyOf(item)} className={styles.pill}>
            {item.loadId === null ? 'Truck' : 'Load'} <b>{item.name}</b>
            {items.length === 1 ? null : (
              <BareButton
                className="lh-icon"
                aria-label={`Leave out ${item.name}`}
                onClick={() => set(items.filter((_, at) => at !== i))}
              >
                <IconX size={14} stroke={2} aria-hidden="true" />
              </BareButton>
            )}
          </li>
        ))}
        {typed !== null || items.length >= MOST_SHARED ? null : (
          <li>
            <BareButton className="lh-link lh-flex" onClick={() => setTyped('')}>
              <IconPlus size={16} stroke={2} aria-hidden="true" />
              Add a load or truck
            </BareButton>
          </li>
        )}
      </ul>
      {typed === null || items.length >= MOST_SHARED ? null : (
        <SuggestField
          aria-label="Load or truck to add"
          placeholder="Load number, customer, or truck"
          maxLength={100}
          autoFocus
          data={[...found.keys()]}
          value={typed}
          autoSelectOnBlur={false}
          onChange={(text) => (found.has(text) ? add(found.get(text)!) : setTyped(text))}
        />
      )}
    </div>
  );
};
