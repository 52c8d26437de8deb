import { toQuery, useAddress } from '@/components/ui/use-address';
import { BOARD_VERDICTS, type BoardVerdict } from '@/lib/view/load-verdicts';
import { isDay, type CivilDay } from '@/lib/trips/days';

export const SPANS = ['day', 'week', 'all'] as const;

/** The days and the filter of the board, as the address has them. */
export interface LoadsAddress {
  /** Null: today. */
  day: CivilDay | null;
  span: (typeof SPANS)[number];
  /** Null: all. */
  verdict: BoardVerdict | null;
  tag: string | null;
}

const toSearch = ({ day, span, verdict, tag }: LoadsAddress): string =>
  toQuery({
    day,
    span: span === 'day' ? null : span,
    verdict,
    tag: tag === null ? null : encodeURIComponent(tag),
  });

const parse = (search: URLSearchParams): LoadsAddress => {
  const day = search.get('day') ?? '';
  return {
    day: isDay(day) ? day : null,
    span: SPANS.find((span) => span === search.get('span')) ?? 'day',
    verdict: BOARD_VERDICTS.find((verdict) => verdict === search.get('verdict')) ?? null,
    tag: search.get('tag') || null,
  };
};

/** The page's search is kept by the search field, in the same address. */
export const useLoadsAddress = () =>
  useAddress<LoadsAddress>({
    parse,
    toSearch: (address) => {
      const query = new URLSearchParams(window.location.search).get('q');
      const rest = toSearch(address);
      return query === null ? rest : `${rest}${rest === '' ? '?' : '&'}q=${encodeURIComponent(query)}`;
    },
  });
