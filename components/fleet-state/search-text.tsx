import { usePathname } from 'next/navigation';
import { createContext, useContext, useState, type ReactNode } from 'react';
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
  <SearchTextContext value={useState(NO_TEXT)}>{children}</SearchTextContext>
);

/** The pages that list trucks share the search of the map. */
const TRUCKS = /^\/fleets\/[^/]+(?:\/roster)?\/?$/;
const FILTERED = /^(?:\/fleets\/[^/]+\/(loads|links|roster|history|alerts|sites)|\/(devices))\/?$/;

/** The list that the search field filters, besides the map's own; null on a page without one. */
export const useFilteredPage = ():
  | 'loads'
  | 'links'
  | 'roster'
  | 'history'
  | 'alerts'
  | 'sites'
  | 'devices'
  | null => {
  const [, ofFleet, ofServer] = FILTERED.exec(usePathname()) ?? [];
  return ((ofFleet ?? ofServer) as 'roster' | undefined) ?? null;
};

/** The text of the search field on a page that does not list trucks, and its change; empty on one without the field. */
export const usePageText = (): readonly [string, (text: string) => void] => {
  const path = usePathname();
  const [held, hold] = useContext(SearchTextContext);
  return [held.path === path ? held.text : '', (text) => hold({ path, text })];
};

/** The text of the search field, which filters the list of the page on the screen, and its change. */
export const useSearchText = (): readonly [string, (text: string) => void] => {
  const { query } = useView();
  const { search } = useViewActions();
  const page = usePageText();
  return TRUCKS.test(usePathname()) ? [query, search] : page;
};
