import { addDays, type CivilDay } from './days';

/** The days from `from` to `to`, both included. */
export interface DaySpan {
  from: CivilDay;
  to: CivilDay;
}

export const PRESETS = [
  'today',
  'yesterday',
  'week',
  'month',
  'lastMonth',
  'quarter',
  'lastQuarter',
] as const;
export type Preset = (typeof PRESETS)[number];

export const PRESET_LABELS: Readonly<Record<Preset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  month: 'This month',
  lastMonth: 'Last month',
  quarter: 'This quarter',
  lastQuarter: 'Last quarter',
};

const monthOf = (day: CivilDay): CivilDay => `${day.slice(0, 7)}-01`;

const quarterOf = (day: CivilDay): CivilDay => {
  const month = Number(day.slice(5, 7));
  return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
};

/** The days that a preset means on a day; the present month and quarter end with it. */
export const presetSpan = (preset: Preset, today: CivilDay): DaySpan => {
  const upTo = (from: CivilDay): DaySpan => ({ from, to: today });
  const before = (first: CivilDay, firstOf: (day: CivilDay) => CivilDay): DaySpan => {
    const to = addDays(first, -1);
    return { from: firstOf(to), to };
  };
  switch (preset) {
    case 'today':
      return upTo(today);
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'week':
      return upTo(addDays(today, -6));
    case 'month':
      return upTo(monthOf(today));
    case 'lastMonth':
      return before(monthOf(today), monthOf);
    case 'quarter':
      return upTo(quarterOf(today));
    case 'lastQuarter':
      return before(quarterOf(today), quarterOf);
  }
};

/** The preset that means these days; null: none. */
export const presetOf = (span: DaySpan, today: CivilDay): Preset | null =>
  PRESETS.find((preset) => {
    const { from, to } = presetSpan(preset, today);
    return from === span.from && to === span.to;
  }) ?? null;
