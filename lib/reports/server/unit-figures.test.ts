import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { clockOf } from '@/testing/clock';
import { UnitFigures } from './unit-figures';

it('the figures of a day that is not over are made once for those who ask within a minute, also where one of them leaves', async () => {
  let nowMs = 10 * DAY_MS + 15 * HOUR_MS;
  let made = 0;
  const reader = {
    readCoverage: async () => [],
    readFixes: async (_usdot: string, _range: object, read: (table: object) => Promise<unknown>) => read({}),
  };
  const figures = new UnitFigures<{ key: string }>(
    { reader, clock: clockOf(() => nowMs), folder: '/dev/null', scratch: {}, log: {} } as never,
    {
      name: 'test',
      threads: {} as never,
      replay: async (_usdot, _table, _day, signal) => {
        made += 1;
        await Promise.resolve();
        return signal.aborted ? [] : [{ key: `made ${made}` }];
      },
    },
  );
  const today = { fromMs: 10 * DAY_MS, toMs: 11 * DAY_MS };
  const read = (signal = new AbortController().signal) => figures.readDay('1', today, signal);
  const leaving = new AbortController();
  const first = read(leaving.signal);
  leaving.abort();
  expect(await Promise.all([first, read()])).toEqual([[{ key: 'made 1' }], [{ key: 'made 1' }]]);
  nowMs += MINUTE_MS - 1;
  expect(await read()).toEqual([{ key: 'made 1' }]);
  nowMs += 2;
  expect(await read()).toEqual([{ key: 'made 2' }]);
  expect(await figures.readDay('2', today, leaving.signal)).toEqual([{ key: 'made 3' }]);
});
