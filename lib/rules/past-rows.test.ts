import { expect, it } from 'vitest';
import { MOTION_COLUMNS } from '@/lib/wire/fleet';
import { listMoments } from './past-rows';

/** One unit of which something was seen at these times, s. */
const seenAt = (...times: number[]) => ({
  identities: [],
  columns: [times.map(() => 0), times, ...MOTION_COLUMNS.map(() => times.map(() => 0))],
  fixes: 2 + MOTION_COLUMNS.length,
});

it('looks at a provider that fails as failing until its next answer, also where a row changed with time alone', () => {
  const coverage = [
    { from: 0, to: 100, state: 'answered' },
    { from: 100, to: 430.7, state: 'failing' },
    { from: 431, to: 600, state: 'answered' },
  ] as const;
  const moments = new Map(listMoments(seenAt(0, 100, 250, 430, 500), coverage, 60));
  for (const [at, isFailing] of moments) expect([at, isFailing]).toEqual([at, at > 100 && at < 430]);
  expect([...moments.keys()]).toEqual(expect.arrayContaining([160, 220, 250, 310, 370, 430, 500]));
});
