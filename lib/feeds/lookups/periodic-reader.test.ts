import { expect, test } from 'vitest';
import { clockOf } from '@/testing/clock';
import { createRosterReader } from './periodic-reader';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';

const OWN = ['A', 'B', 'C', 'D', 'E', 'F'];
const OTHERS = ['U', 'V', 'W', 'X', 'Y', 'Z'];
const { rosterEveryMs, sideRetryMs } = DEFAULT_LIVE_SETTINGS;

const setUp = () => {
  const clock = { nowMs: 0 };
  const provider = { vins: OWN };
  const reader = createRosterReader(
    { readVins: async () => ({ vins: provider.vins, report: { dropped: 0, repaired: 0, examples: [] } }) },
    '9000001',
    DEFAULT_LIVE_SETTINGS,
    clockOf(() => clock.nowMs),
  );
  const readAfter = async (ms: number): Promise<string[]> => {
    clock.nowMs += ms;
    return [...((await reader.read()) ?? [])];
  };
  return { provider, readAfter };
};

test('a roster that has nothing in common with the one held is read a second time before it is accepted', async () => {
  const { provider, readAfter } = setUp();
  expect(await readAfter(0)).toEqual(OWN);
  for (const strange of [OTHERS, []]) {
    provider.vins = strange;
    expect(await readAfter(rosterEveryMs)).toEqual(OWN);
    provider.vins = OWN;
    expect(await readAfter(sideRetryMs)).toEqual(OWN);
  }
  provider.vins = OTHERS;
  expect(await readAfter(rosterEveryMs)).toEqual(OWN);
  expect(await readAfter(sideRetryMs - 1)).toEqual(OWN);
  expect(await readAfter(1)).toEqual(OTHERS);
});

test('a roster that some trucks joined or left is accepted at once', async () => {
  const { provider, readAfter } = setUp();
  await readAfter(0);
  provider.vins = ['A', 'B', 'C', 'X'];
  expect(await readAfter(rosterEveryMs)).toEqual(['A', 'B', 'C', 'X']);
});
