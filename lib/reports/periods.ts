import { addDays, type CivilDay } from '@/lib/trips/days';

/** How long the time of one figure is. */
export const REPORT_PERIODS = ['range', 'day', 'week', 'month'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

export const PERIOD_LABELS: Record<ReportPeriod, string> = {
  range: 'All these days',
  day: 'Each day',
  week: 'Each week',
  month: 'Each month',
};

/** The first day of the period that a day is in, of a range that begins with `first`. Weeks begin on Mondays. */
export const toPeriod = (day: CivilDay, each: ReportPeriod, first: CivilDay): CivilDay => {
  if (each === 'range') return first;
  if (each === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return each === 'week' ? addDays(day, -weekday) : day;
};
