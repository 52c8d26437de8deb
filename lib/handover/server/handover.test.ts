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
  expect(textsOf('Departed')).toEqual(['left Yard Dallas at :13, after 11 min']);
  expect(textsOf('Became silent')).toEqual(['vanished while moving: last fix at :19, Amarillo, TX']);
  expect(textsOf('Changed identity')).toEqual(['truck number 116 → 117 at :30']);
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
