import { toInteger } from '../arguments';
import { DEMO_SEED } from '../../demo/seed';

export const DEFAULT_DEMO_UNITS = 400;
const MAX_DEMO_UNITS = 100_000;
const MAX_SEED = 2 ** 31 - 1;

/** The size and seed of the demo fleet, from `--units` and `--seed`. */
export const readDemoOptions = (options: {
  units?: string;
  seed?: string;
}): { units: number; seed: number } => ({
  units: toInteger(options.units, 'units', { min: 1, max: MAX_DEMO_UNITS, fallback: DEFAULT_DEMO_UNITS }),
  seed: toInteger(options.seed, 'seed', { min: 0, max: MAX_SEED, fallback: DEMO_SEED }),
});
