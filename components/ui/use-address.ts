import { useSearchParams } from 'next/navigation';
import { readLocation } from '@/lib/browser/history-limit';

/** How a page keeps a value in the query of its address. */
interface AddressFormat<Value> {
  parse: (search: URLSearchParams) => Value;
  /** The query, from its "?" on; empty for none. */
  toSearch: (value: Value) => string;
}

/** A query of the parameters that have a value: "?tab=rules&show=open". */
export const toQuery = (parameters: Readonly<Record<string, string | number | null>>): string => {
  const named = Object.entries(parameters).filter(([, value]) => value !== null);
  return named.length === 0 ? '' : `?${named.map(([name, value]) => `${name}=${value}`).join('&')}`;
};

/** Changes the query of the page's address, as a step that "back" undoes. */
export const pushSearch = (search: string): void =>
  window.history.pushState(null, '', `${readLocation().pathname}${search}`);

/** The value of the page's address, and a function that changes some of it as a step that "back" undoes. */
export const useAddress = <Value extends object>({
  parse,
  toSearch,
}: AddressFormat<Value>): [Value, (change: Partial<Value>) => void] => {
  const value = parse(new URLSearchParams(useSearchParams()?.toString()));
  return [value, (change) => pushSearch(toSearch({ ...value, ...change }))];
};
