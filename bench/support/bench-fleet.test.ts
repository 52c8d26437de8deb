import { expect, test } from 'vitest';
import { createBenchFleet } from './bench-fleet';

test('tells no fix from ahead of a clock that went on as far as its steps', () => {
  const [units, startAtMs, stepMs, steps] = [200, 1_800_000_000_000, 5000, 20];
  const fleet = createBenchFleet(units, 7, startAtMs, stepMs);
  for (let step = 0; step < steps; step++) fleet.step(0.6);
  const ages = Array.from(
    { length: units },
    (_, unit) => startAtMs + steps * stepMs - fleet.positionOf(unit).fixAtMs,
  );
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
  expect(Math.min(...ages)).toBeLessThan(stepMs);
});
