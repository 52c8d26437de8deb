import { usePathname, useSearchParams } from 'next/navigation';
import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { readLocation } from '@/lib/browser/history-limit';
import { useView, useViewActions } from './fleet-context';

/** The text of the search field on a page that does not list trucks. */
interface PageText {
  path: string;
  text: string;
}

type Held = readonly [PageText, (held: PageText) => void];

const NO_TEXT: PageText = { path: '', text: '' };

const SearchTextContext = createContext<Held>([NO_TEXT, () => undefined]);

/** Holds the search of pages that do not list trucks: it is empty when another page opens. */
export const SearchTextProvider = ({ children }: { children: ReactNode }) => (
  <SearchTextContext value={useState(NO_TEXT)}>
    <SearchAddress />
    {children}
  </SearchTextContext>
);

const PARAMETER = 'q';
/** As on the map. */
const LONGEST = 100;
/** A word that is typed changes the address once. */
const QUIET_MS = 300;
/** The pages that list trucks share the search of the map. */
const TRUCKS = /^\/fleets\/[^/]+(?:\/roster)?\/?$/;
const FILTERED = /^\/fleets\/[^/]+\/(roster|history|alerts|sites)\/?$/;

/** The list that the search field filters, besides the map's own; null on a page without one. */
export const useFilteredPage = (): 'roster' | 'history' | 'alerts' | 'sites' | null =>
  (FILTERED.exec(usePathname())?.[1] as 'roster' | undefined) ?? null;

/** The text of the search field, which filters the list of the page on the screen, and its change. */
export const useSearchText = (): readonly [string, (text: string) => void] => {
  const { query } = useView();
  const { search } = useViewActions();
  const path = usePathname();
  const [held, hold] = useContext(SearchTextContext);
  if (TRUCKS.test(path)) return [query, search];
  return [held.path === path ? held.text : '', (text) => hold({ path, text })];
};

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
const SearchAddress = () => {
  const path = usePathname();
  const search = useSearchParams()?.toString();
  const isFiltered = useFilteredPage() !== null;
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
    if (!isFiltered) return;
    adopt();
    const listener = (): void => onPopState();
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, [isFiltered, path]);
  useEffect(() => {
    if (!isFiltered) return;
    const timer = setTimeout(() => {
      if (readLocation().pathname === path) writeAddress(text);
    }, QUIET_MS);
    return () => clearTimeout(timer);
    // A link within the page, as to another tab, keeps the search.
  }, [isFiltered, path, text, search]);
  return null;
};
