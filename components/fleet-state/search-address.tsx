import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { readLocation } from '@/lib/browser/history-limit';
import { useSearchText } from './search-text';

const PARAMETER = 'q';
/** As on the map. */
const LONGEST = 100;
/** A word that is typed changes the address once. */
const QUIET_MS = 300;

const readAddress = (): string =>
  (new URLSearchParams(readLocation().search).get(PARAMETER) ?? '').slice(0, LONGEST);

const writeAddress = (text: string): void => {
  const { pathname, search } = readLocation();
  const params = new URLSearchParams(search);
  if (text.trim() === (params.get(PARAMETER) ?? '')) return;
  if (text.trim() === '') params.delete(PARAMETER);
  else params.set(PARAMETER, text.trim());
  const query = params.toString().replaceAll('%2C', ',');
  window.history.replaceState(null, '', `${pathname}${query === '' ? '' : `?${query}`}`);
};

/** Keeps the search of a filtered page in its address, and takes it from there when the page opens, and on back and forward. */
export const SearchAddress = () => {
  const path = usePathname();
  const search = useSearchParams()?.toString();
  const [text, setText] = useSearchText();
  const adopt = useEffectEvent(() => {
    const named = readAddress();
    // The roster keeps the search of the map unless its address has another.
    if (named !== '') setText(named);
  });
  const onPopState = useEffectEvent(() => {
    if (readLocation().pathname === path) setText(readAddress());
  });
  useEffect(() => {
    adopt();
    const listener = (): void => onPopState();
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, [path]);
  useEffect(() => {
    const write = (): void => {
      clearTimeout(timer);
      if (readLocation().pathname === path) writeAddress(text);
    };
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Enter') write();
    };
    const timer = setTimeout(write, QUIET_MS);
    // The router cancels the loading of a page when an address is written: it is written before a link is followed.
    document.addEventListener('click', write, { capture: true });
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('click', write, { capture: true });
      document.removeEventListener('keydown', onKeyDown, { capture: true });
    };
    // A link within the page, as to another tab, keeps the search.
  }, [path, text, search]);
  return null;
};
