import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createAddressWriter } from './address-writer';
import type { AddressWriter } from './address-writer';
import { useViewStore } from './fleet-context';

const readNotAdopted = (): boolean => false;

/**
 * Keeps the view in the address, and takes it from there: at first, on back and forward, and when a link
 * of this page is followed. False until the address was read.
 */
export const useViewAddress = (): boolean => {
  const store = useViewStore();
  const search = useSearchParams()?.toString();
  const writer = useRef<AddressWriter | null>(null);

  useEffect(() => {
    const created = createAddressWriter(store);
    writer.current = created;
    created.adoptAddress();
    return () => {
      created.stop();
      writer.current = null;
    };
  }, [store]);

  useEffect(() => {
    if (writer.current?.isForeign()) writer.current.adoptAddress();
  }, [search]);

  return useSyncExternalStore(store.subscribe, store.isAdopted, readNotAdopted);
};
