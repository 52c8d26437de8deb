import { interpolate } from '@/lib/geo/geodesy';
import type { LinePart, Replay } from '@/lib/trips/segments';
import type { StateIndex } from './state-index';
import { getOrMake } from '@/lib/base/maps';
import type { TimeRange } from '@/lib/base/time';

/** A line is looked at this often at least, so that a corner of a state is missed only if it is smaller. */
const STEP_M = 2000;
/** A border is found on a line of two kilometers to 8 m. */
const BISECTIONS = 8;

export interface StateMeters {
  drivenM: number;
  bridgedM: number;
}

const stateOn = (
  states: Pick<StateIndex, 'stateAt'>,
  { from, to }: Pick<LinePart, 'from' | 'to'>,
  fraction: number,
): number => states.stateAt(interpolate(from, to, fraction));

/** Cuts a line at the borders between states, and adds what is in each. */
export const splitLine = (
  states: Pick<StateIndex, 'stateAt'>,
  line: LinePart,
  add: (state: number, meters: number) => void,
): void => {
  const { start, end, meters } = line;
  const steps = Math.max(1, Math.ceil(meters / STEP_M));
  const perFraction = meters / (end - start);
  let state = stateOn(states, line, start);
  let since = start;
  let before = start;
  for (let step = 1; step <= steps; step++) {
    const fraction = step === steps ? end : start + (step / steps) * (end - start);
    const next = stateOn(states, line, fraction);
    if (next !== state) {
      let low = before;
      let high = fraction;
      for (let i = 0; i < BISECTIONS; i++) {
        const middle = (low + high) / 2;
        if (stateOn(states, line, middle) === state) low = middle;
        else high = middle;
      }
      add(state, (high - since) * perFraction);
      state = next;
      since = high;
    }
    before = fraction;
  }
  add(state, (end - since) * perFraction);
};

/** The meters of a range in each state, which add up to those of the range. */
export const toStateMeters = (
  { segments, distances }: Pick<Replay, 'segments' | 'distances'>,
  range: TimeRange,
  states: Pick<StateIndex, 'stateAt'>,
): Map<number, StateMeters> => {
  const sums = new Map<number, StateMeters>();
  const addTo = (kind: keyof StateMeters) => (state: number, meters: number) => {
    getOrMake(sums, state, () => ({ drivenM: 0, bridgedM: 0 }))[kind] += meters;
  };
  const [drive, bridge] = [addTo('drivenM'), addTo('bridgedM')];
  for (const segment of segments)
    if (segment.kind === 'moving') distances.visitDriven(segment, (part) => splitLine(states, part, drive));
  distances.visitBridged(range, (part) => splitLine(states, part, bridge));
  return sums;
};
