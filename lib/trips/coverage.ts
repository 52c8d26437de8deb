import { object, number, oneOf, nullable, text, type ShapeOf } from '@/lib/base/shape';

/** The problem of an answered time whose fixes were made later, as the past of the demo: when they would have come is not known. */
export const MADE = 'made';

/**
 * A time in which the provider's answers for a fleet came, or did not; Unix ms. `notRunning`: no poll, because no process
 * recorded; `lost`: answers came that could not be stored. `problem` is the kind of the problem, null where there is none.
 */
export const coverageIntervalSchema = object({
  fromMs: number,
  toMs: number,
  state: oneOf(['answered', 'failing', 'notRunning', 'lost'] as const),
  problem: nullable(text),
});
export type CoverageInterval = ShapeOf<typeof coverageIntervalSchema>;
