/** A local day of the viewer, Unix ms: 23 or 25 hours long where clocks are changed. */
export interface LocalDay {
  fromMs: number;
  toMs: number;
}

/** The day that a moment is in; `by` days later. */
export const toDay = (atMs: number, by = 0): LocalDay => {
  const at = new Date(atMs);
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate() + by];
  return {
    fromMs: new Date(year, month, date).getTime(),
    toMs: new Date(year, month, date + 1).getTime(),
  };
};

/** The same time of day on another day, `by` days later. */
export const addDays = (atMs: number, by: number): number => {
  const at = new Date(atMs);
  at.setDate(at.getDate() + by);
  return at.getTime();
};

/** "2026-11-17", as a date field has it. */
export const toDateText = (atMs: number): string => {
  const at = new Date(atMs);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
};

/** The time of day of a moment on the day of a date field; null where the field has none. */
export const onDate = (atMs: number, text: string): number | null => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const at = new Date(atMs);
  at.setFullYear(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return at.getTime();
};

/** The full hours of a day, every `step` hours of its clock. */
export const toHours = ({ fromMs, toMs }: LocalDay, step: number): number[] => {
  const hours: number[] = [];
  const at = new Date(fromMs);
  for (let hour = 0; hour < 24; hour += step) {
    at.setTime(fromMs);
    at.setHours(hour);
    if (at.getTime() < toMs) hours.push(at.getTime());
  }
  return hours;
};

interface Interval {
  fromMs: number;
  toMs: number;
  state: 'answered' | 'failing' | 'notRunning' | 'lost';
  problem: string | null;
}

/** A time without recorded answers. `none`: it is not known that Linehaul recorded this fleet at all. */
export interface CoverageGap extends Omit<Interval, 'state'> {
  state: Exclude<Interval['state'], 'answered'> | 'none';
}

/** The least gap: between two polls nothing is recorded. */
const LEAST_GAP_MS = 2 * 60_000;

/** The times of a day until `untilMs` that no answer covers, ascending, each with its state. */
export const toGaps = (
  coverage: readonly Interval[],
  { fromMs, toMs }: LocalDay,
  untilMs: number,
): CoverageGap[] => {
  const gaps: CoverageGap[] = [];
  const add = (from: number, to: number): void => {
    let at = from;
    const push = (until: number, state: CoverageGap['state'], problem: string | null): void => {
      if (until <= at) return;
      const last = gaps[gaps.length - 1];
      if (last?.state === state && last.problem === problem && last.toMs === at) last.toMs = until;
      else gaps.push({ fromMs: at, toMs: until, state, problem });
      at = until;
    };
    for (const { fromMs: begin, toMs: end, state, problem } of coverage) {
      if (state === 'answered' || end <= at || begin >= to) continue;
      push(Math.min(begin, to), 'none', null);
      push(Math.min(end, to), state, problem);
    }
    push(to, 'none', null);
  };
  let at = fromMs;
  for (const interval of coverage) {
    if (interval.state !== 'answered') continue;
    if (interval.fromMs > at) add(at, Math.min(interval.fromMs, toMs));
    at = Math.max(at, interval.toMs);
  }
  add(at, Math.min(toMs, untilMs));
  return gaps.filter((gap) => gap.toMs - gap.fromMs >= LEAST_GAP_MS);
};
