import { describe, expect, test } from 'vitest';
import { fixAt, observeAll } from '@/testing/motion/fixes';

/** A truck on the road at 96 km/h, with a record every half minute. */
const drive = (fixes: number) => Array.from({ length: fixes }, (_, i) => fixAt(i / 2, i * 800));
/** The same position again and again, half a minute apart. */
const stand = (fromFix: number, fixes: number, northM: number) =>
  Array.from({ length: fixes }, (_, i) => fixAt((fromFix + i) / 2, northM));

const run = (...parts: ReturnType<typeof drive>[]) => observeAll(parts.flat()).frozen;

describe('a frozen position', () => {
  test('is one that repeats to the last digit after a truck drove and did not slow down', () => {
    expect(run(drive(5), stand(5, 6, 3200))).toMatchObject({ fixes: 7, sinceMs: fixAt(2, 0).fixAtMs });
    expect(run(drive(5), stand(5, 6, 3200))?.speedKph).toBeCloseTo(96, 0);
  });

  test('is not that of a truck that stopped between two fixes, however exactly its receiver repeats itself', () => {
    // Braking at 1.5 m/s² takes a truck at 96 km/h 18 s and 237 m: it comes 560 m far in its last half minute.
    expect(run(drive(5), [fixAt(2.5, 3760)], stand(6, 20, 3760))).toBeNull();
  });

  test('is not that of a parked truck whose tracker snaps to one place', () => {
    expect(run(stand(0, 60, 0))).toBeNull();
    expect(run(drive(5), [fixAt(2.5, 3900), fixAt(3, 3905)], stand(7, 60, 3905))).toBeNull();
  });

  test('is not that of a truck in a queue or in a town, where every leg has another speed', () => {
    const town = [0, 300, 650, 900, 1280].map((northM, i) => fixAt(i / 2, northM));
    expect(run(town, stand(5, 12, 1280))).toBeNull();
  });

  test('is not derived from reports that are too rare to show whether it slowed down', () => {
    const rare = Array.from({ length: 5 }, (_, i) => fixAt(i * 2, i * 3200));
    expect(
      run(
        rare,
        Array.from({ length: 6 }, (_, i) => fixAt(10 + i * 2, 12_800)),
      ),
    ).toBeNull();
  });

  test('ends with the first fix that differs in any digit', () => {
    const frozen = [...drive(5), ...stand(5, 6, 3200)];
    expect(observeAll([...frozen, fixAt(5.5, 3200.2)]).frozen).toBeNull();
  });
});
