import { useSearchParams } from 'next/navigation';
import { useReading } from '@/components/fleet-state/fleet-context';
import { useNowMs } from '@/components/ui/use-now';
import { dayOf, dayRange, isDay, type CivilDay, presetSpan, type DaySpan } from '@/lib/trips/days';
import { formatArea, parseArea } from '@/lib/reports/who/area';

export const QUESTIONS = ['activity', 'miles', 'who'] as const;
export type Question = (typeof QUESTIONS)[number];

/** The days that a question is about. */
export interface HistoryRange extends DaySpan {
  /** The time zone of the days, by its IANA name. */
  zone: string;
  /** Unix ms: from the first midnight until before the last. */
  fromMs: number;
  toMs: number;
}

/** What else the question "Who was here?" is about. */
export interface WhoAddress {
  /** As in addresses; null where none is chosen. */
  area: string | null;
  /** The time of the first day at which it begins, "14:00"; null: midnight. */
  start: string | null;
  /** The time of the last day at which it ends; null: midnight. */
  end: string | null;
}

interface HistoryAddress {
  question: Question;
  range: HistoryRange;
  who: WhoAddress;
  today: CivilDay;
}

/** The query of the page's address. */
export const toHistorySearch = (question: Question, { from, to }: DaySpan, who: WhoAddress): string => {
  const named = Object.entries({ question, from, to, ...who }).filter(([, value]) => value !== null);
  return `?${named.map(([name, value]) => `${name}=${value}`).join('&')}`;
};

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const readWho = (search: URLSearchParams): WhoAddress => {
  const area = parseArea(search.get('area') ?? '');
  const [start, end] = ['start', 'end'].map((name) => TIME.exec(search.get(name) ?? '')?.[0] ?? null);
  return { area: area === null ? null : formatArea(area), start: start ?? null, end: end ?? null };
};

const readSpan = (search: URLSearchParams, today: CivilDay): DaySpan => {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  return isDay(from) && isDay(to) && from <= to && from <= today ? { from, to } : presetSpan('today', today);
};

/** The question and the days of the page's address; in the browser only, whose time zone they are of. */
export const useHistoryAddress = (): HistoryAddress => {
  const search = new URLSearchParams(useSearchParams()?.toString());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { skewMs } = useReading();
  const today = dayOf(useNowMs() + skewMs, zone);
  const span = readSpan(search, today);
  const range = {
    ...span,
    zone,
    fromMs: dayRange(span.from, zone).fromMs,
    toMs: dayRange(span.to, zone).toMs,
  };
  return {
    question: QUESTIONS.find((each) => each === search.get('question')) ?? 'activity',
    range,
    who: readWho(search),
    today,
  };
};
