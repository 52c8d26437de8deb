import { useReading } from '@/components/fleet-state/fleet-context';
import { toQuery, useAddress } from '@/components/ui/use-address';
import { useNowMs } from '@/components/ui/use-now';
import { dayOf, dayRange, isDay, type CivilDay, presetSpan, type DaySpan } from '@/lib/trips/days';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { QUALITY_GROUPS, type QualityGroup } from '@/lib/data-quality/quality';
import { FACILITY_GROUPS, type FacilityGroup } from '@/lib/facilities/facilities';
import { REPORT_PERIODS, type ReportPeriod } from '@/lib/reports/periods';
import type { ChosenUnits } from '@/lib/reports/chosen';
import { formatArea, parseArea } from '@/lib/reports/who/area';

const QUESTIONS = ['activity', 'miles', 'visits', 'facilities', 'quality', 'who'] as const;
export type Question = (typeof QUESTIONS)[number];

/** The days and the trucks that a question is about. */
export interface HistoryRange extends DaySpan, ChosenUnits {
  /** The time zone of the days, by its IANA name. */
  zone: string;
  /** Unix ms: from the first midnight until before the last. */
  fromMs: number;
  toMs: number;
}

export interface WhoAddress {
  /** As in addresses; null where none is chosen. */
  area: string | null;
  /** Id of a site, in place of an area. */
  site: number | null;
  /** The time of the first day at which it begins, "14:00"; null: midnight. */
  start: string | null;
  /** The time of the last day at which it ends; null: midnight. */
  end: string | null;
}

/** What the figures of facilities or of data quality are of. */
export interface FiguresAddress {
  by: QualityGroup;
  facilitiesBy: FacilityGroup;
  each: ReportPeriod;
  /** The keys of two rows that are beside each other; null: the first two. */
  one: string | null;
  other: string | null;
  /** The USDOT number of another fleet whose figures are listed, too; null: none. */
  fleet: string | null;
}

/** The question of the page's address and what it is about; days are null where the address has none. */
interface HistoryAddress extends WhoAddress, FiguresAddress, ChosenUnits {
  question: Question;
  from: CivilDay | null;
  to: CivilDay | null;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const readTime = (text: string | null): string | null => TIME.exec(text ?? '')?.[0] ?? null;

const readDay = (text: string | null): CivilDay | null => (text !== null && isDay(text) ? text : null);

/** The key of a unit, or a tag; null where there is none. */
const readName = (text: string | null, most: number): string | null =>
  text !== null && text !== '' && text.length <= most ? text : null;

const parse = (search: URLSearchParams): HistoryAddress => {
  const area = parseArea(search.get('area') ?? '');
  return {
    question: QUESTIONS.find((each) => each === search.get('question')) ?? 'activity',
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
    area: area === null ? null : formatArea(area),
    site:
      area === null && /^[1-9]\d{0,8}$/.test(search.get('site') ?? '') ? Number(search.get('site')) : null,
    unit: readName(search.get('unit'), 140),
    tag: readName(search.get('tag'), 40),
    start: readTime(search.get('start')),
    end: readTime(search.get('end')),
    by: QUALITY_GROUPS.find((each) => each === search.get('by')) ?? 'provider',
    facilitiesBy: FACILITY_GROUPS.find((each) => each === search.get('by')) ?? 'site',
    each: REPORT_PERIODS.find((each) => each === search.get('each')) ?? 'range',
    one: readName(search.get('one'), 160),
    other: readName(search.get('other'), 160),
    fleet: parseUsdot(search.get('fleet') ?? ''),
  };
};

/** The question and the days of the page's address; in the browser only, whose time zone they are of. */
export const useHistoryAddress = () => {
  const [{ question, from, to, unit, tag, by, facilitiesBy, each, one, other, fleet, ...who }, show] =
    useAddress({
      parse,
      toSearch: ({ by, facilitiesBy, each, one, other, fleet, ...address }) =>
        toQuery({
          ...address,
          ...(address.question === 'facilities' && {
            by: facilitiesBy,
            each: each === 'range' ? null : each,
          }),
          ...(address.question === 'quality' && {
            ...{ by, each: each === 'range' ? null : each, fleet },
            // The key of a row may have any characters.
            ...{ one: one && encodeURIComponent(one), other: other && encodeURIComponent(other) },
          }),
        }),
    });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { skewMs } = useReading();
  const today = dayOf(useNowMs() + skewMs, zone);
  const isGiven = from !== null && to !== null && from <= to && from <= today;
  // Of all trucks a month is a lot to read, of one it is what its page leads to; facilities read no fixes.
  const preset = question === 'facilities' ? 'month' : unit === null ? 'today' : 'days30';
  const span: DaySpan = isGiven ? { from, to } : presetSpan(preset, today);
  const range: HistoryRange = {
    ...span,
    ...{ unit, tag },
    zone,
    fromMs: dayRange(span.from, zone).fromMs,
    toMs: dayRange(span.to, zone).toMs,
  };
  return {
    question,
    range,
    who,
    figures: { by, facilitiesBy, each, one, other, fleet },
    today,
    /** The query of another question about the same days. */
    searchOf: (other: Question): string => toQuery({ question: other, ...span, ...{ unit, tag }, ...who }),
    show: (change: Partial<HistoryAddress>): void => show({ question, ...span, ...change }),
  };
};
