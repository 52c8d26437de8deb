import { IconSearch, IconX } from '@tabler/icons-react';
import { useRef, type KeyboardEvent } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { toViewSearch } from '@/lib/view/view-state';
import { useUsdot, useView, useViewActions, useViewStore } from '../fleet-state/fleet-context';
import { openMap, useIsMapShown } from '../fleet-state/map-link';
import { isEnter, useShortcuts } from '../ui/shortcuts';
import styles from './search-field.module.css';
import { usePhone } from '../layout/shell';

export const SEARCH_ID = 'unit-search';

const SEARCH_INPUT = {
  type: 'text',
  inputMode: 'search',
  enterKeyHint: 'search',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 100,
} as const;

/** Searches the fleet; from another page than the map, Enter goes to the map with the query. */
export const SearchField = () => {
  const { query } = useView();
  const { search } = useViewActions();
  const store = useViewStore();
  const usdot = useUsdot();
  const isOnMap = useIsMapShown();
  const input = useRef<HTMLInputElement>(null);
  const focus = (): void => {
    input.current?.focus();
    input.current?.select();
  };
  useShortcuts({ '/': focus });
  const clear = (): void => {
    search('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // Escape clears the field, and leaves it once it is empty.
      if (query === '') input.current?.blur();
      else search('');
      event.preventDefault();
      event.stopPropagation();
    } else if (isEnter(event) && !isOnMap) {
      openMap(`/fleets/${usdot}${toViewSearch({ ...store.read(), unit: null })}`);
    }
  };

  return (
    <div role="search" className={styles.search}>
      <IconSearch className={styles.icon} size={18} stroke={1.75} aria-hidden="true" />
      <input
        id={SEARCH_ID}
        aria-label="Search trucks"
        ref={input}
        className={styles.input}
        {...SEARCH_INPUT}
        placeholder={usePhone() ? 'Search' : 'Truck, VIN, plate, make, device'}
        aria-keyshortcuts="/"
        value={query}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {query === '' ? (
        <kbd className={styles.hint} aria-hidden="true">
          /
        </kbd>
      ) : (
        <BareButton className={`lh-icon ${styles.clear}`} aria-label="Clear search" onClick={clear}>
          <IconX size={16} stroke={2} aria-hidden="true" />
        </BareButton>
      )}
    </div>
  );
};
