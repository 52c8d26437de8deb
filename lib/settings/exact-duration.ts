const SECOND_MS = 1000;

/** Units of a duration, the largest first. */
export const DURATION_UNITS = [
  { name: 'days', one: 'day', ms: 86_400 * SECOND_MS },
  { name: 'hours', one: 'hour', ms: 3600 * SECOND_MS },
  { name: 'minutes', one: 'minute', ms: 60 * SECOND_MS },
  { name: 'seconds', one: 'second', ms: SECOND_MS },
] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

const SECONDS = DURATION_UNITS[3];

/** A duration as a whole number of its largest unit; otherwise in fractional seconds. */
export const toAmount = (ms: number): { amount: number; unit: DurationUnit } => {
  const unit = DURATION_UNITS.find((each) => ms >= each.ms && ms % each.ms === 0) ?? SECONDS;
  return { amount: ms / unit.ms, unit };
};

/** An exact duration, unlike an age: "90 seconds", "1 hour", "at once". */
export const exactDurationWords = (ms: number): string => {
  if (ms === 0) return 'at once';
  const { amount, unit } = toAmount(ms);
  return `${amount.toLocaleString('en-US')} ${amount === 1 ? unit.one : unit.name}`;
};
