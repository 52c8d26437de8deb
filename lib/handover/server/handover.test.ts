import { AppError } from '@/lib/base/http/problems';
import { expect, it } from 'vitest';
import { setUpRecording } from '@/testing/history/recording';
import { USDOT, atMs, recordShift, storeShift } from '@/testing/history/shift';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { toHandoverSections } from '../text';
import { readHandover, toHandoverStart } from './handover';

const held = setUpRecording();

it('says what changed since a moment, and of own alerts only those of the reader', async () => {
  await recordShift(held);
  await storeShift(held);
  await held.pool.query(`UPDATE linehaul.site_visits SET origin = 'late' WHERE unit = 'DRIVES'`);
  const { reader, pool } = held;
  const history = { reader, reports: { readRange: async () => [] } } as never;
  const range = { fromMs: atMs(10), toMs: atMs(50) };
  const handover = await readHandover({ history, pool }, { id: 'me' }, USDOT, range);
  expect(handover.isCompared).toBe(true);
  expect(handover.silent.map(({ key }) => key)).toEqual(['LEAVES']);
  expect(handover.reporting.map(({ key }) => key)).toEqual(['RETURNS']);
  expect(handover.renamed).toMatchObject([
    { key: 'RENAMED', atMs: atMs(30), changes: [{ field: 'truckNumber', before: '116', after: '117' }] },
  ]);
  expect(handover.visits.map(({ unit, siteName }) => [unit, siteName])).toEqual([
    ['DRIVES', 'Yard Dallas'],
    ['RENAMED', 'Yard Dallas'],
  ]);
  expect(handover.alerts.map(({ ruleName }) => ruleName)).toEqual(['rule of all', 'rule of me']);
  expect(handover.notes).toMatchObject([{ key: 'DRIVES', text: 'brakes', author: 'Kim' }]);

  const minuteOf = (ms: number): string => `:${(ms - START_MS) / MINUTE_MS}`;
  const sections = toHandoverSections(
    { ...handover, visitedMs: null },
    { moment: minuteOf, place: () => 'Amarillo, TX' },
  );
  const textsOf = (title: string): string[] | undefined =>
    sections.find((section) => section.title === title)?.lines.map(({ text }) => text);
  expect(textsOf('Arrived')).toEqual(['arrived at Yard Dallas between :15 and :25']);
  expect(textsOf('Departed')).toEqual(['left Yard Dallas at :13, after 11 min (learned later)']);
  expect(textsOf('Became silent')).toEqual(['vanished while moving: last fix at :19, Amarillo, TX']);
  expect(textsOf('Changed identity')).toEqual(['truck number 116 → 117 at :30']);
  expect(textsOf('Flagged')).toEqual(['Identity changed']);
  expect(textsOf('Alerts')).toEqual([
    'Truck 7 was late: last fix at :20 (taken by Kim: “Calls the driver”; still open)',
    'Truck 7 was late: last fix at :20 (not taken; still open)',
  ]);
});

it('lists the units that drove for more than 8 hours, the longest first, and says where that is too much to add up', async () => {
  await recordShift(held);
  const HOUR_MS = 60 * MINUTE_MS;
  const drove = (key: string, hours: number) => ({ key, movingMs: hours * HOUR_MS, drivenM: 160_934 });
  const range = { fromMs: atMs(50) - 24 * HOUR_MS, toMs: atMs(50) };
  const read = async (readRange: () => Promise<unknown[]>) => {
    const history = { reader: held.reader, reports: { readRange } } as never;
    const answer = await readHandover({ history, pool: held.pool }, { id: null }, USDOT, range);
    const sections = toHandoverSections({ ...answer, visitedMs: null }, { moment: String, place: () => '' });
    return sections.find(({ title }) => title === 'Drove long')!;
  };
  const { lines } = await read(async () => [drove('DRIVES', 8.5), drove('LEAVES', 8), drove('RENAMED', 11)]);
  expect(lines.map(({ unit, text }) => [unit, text])).toEqual([
    ['RENAMED', 'drove 11 h 00 m, at least 100 mi'],
    ['DRIVES', 'drove 8 h 30 m, at least 100 mi'],
  ]);
  const tooLarge = await read(() => Promise.reject(new AppError('range-too-long')));
  expect(tooLarge).toMatchObject({ lines: [], none: expect.stringContaining('too large') });
});

it('a moment that was not recorded cannot be compared, and what is stored is listed all the same', async () => {
  await storeShift(held);
  const { reader, pool } = held;
  const history = { reader, reports: { readRange: async () => [] } } as never;
  const handover = await readHandover({ history, pool }, { id: null }, USDOT, {
    fromMs: atMs(10),
    toMs: atMs(50),
  });
  expect(handover).toMatchObject({ isCompared: false, silent: [], flagged: [] });
  expect(handover.alerts).toHaveLength(1);
  const format = { moment: String, place: () => '' };
  const sections = toHandoverSections({ ...handover, visitedMs: null }, format);
  expect(sections.map(({ none }) => none).join()).not.toMatch(/silent|flag/);
});

it('begins three days ago at the earliest, and never in the future', () => {
  expect(toHandoverStart(0, atMs(0))).toBe(atMs(0) - 72 * 3_600_000);
  expect(toHandoverStart(atMs(-5), atMs(0))).toBe(atMs(-5));
  expect(() => toHandoverStart(atMs(1), atMs(0))).toThrow('not come yet');
});
