'use client';

import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { toViewSearch } from '@/lib/view/view-state';
import { useUsdot, useView, useViewActions, useViewStore } from '../fleet-state/fleet-context';
import { OVERLAID, isPlainKey, isTyping, isWithin } from '../ui/keys';
import styles from './search-field.module.css';
import { usePhone } from '../ui/use-phone';

export const SEARCH_ID = 'unit-search';

/** Searches the fleet; from another page than the map, Enter goes there with what was typed. */
export const SearchField = () => {
  const { query } = useView();
  const { search } = useViewActions();
  const store = useViewStore();
  const router = useRouter();
  const mapPath = `/fleets/${useUsdot()}`;
  const isOnMap = usePathname() === mapPath;
  const input = useRef<HTMLInputElement>(null);
  useSlashFocus(input);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      // What is typed goes first; with nothing left, Escape leaves the field.
      if (query === '') input.current?.blur();
      else search('');
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !isOnMap) {
      router.push(`${mapPath}${toViewSearch({ ...store.read(), unit: null })}`);
    }
  };

  return (
    <div role="search" className={styles.search}>
      <IconSearch className={styles.icon} size={18} stroke={1.75} aria-hidden="true" />
      <label htmlFor={SEARCH_ID}>
        <VisuallyHidden>Search units</VisuallyHidden>
      </label>
      <input
        id={SEARCH_ID}
        ref={input}
        className={styles.input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
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
        <UnstyledButton
          className={styles.clear}
          aria-label="Clear search"
          onClick={() => {
            search('');
            input.current?.focus();
          }}
        >
          <IconX size={16} stroke={2} aria-hidden="true" />
        </UnstyledButton>
      )}
    </div>
  );
};

const useSlashFocus = (input: React.RefObject<HTMLInputElement | null>): void => {
  useEffect(() => {
    const focusSearch = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || !isPlainKey(event) || isTyping(event.target)) return;
      if (isWithin(event.target, OVERLAID)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', focusSearch);
    return () => window.removeEventListener('keydown', focusSearch);
  }, [input]);
};
