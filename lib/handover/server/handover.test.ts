import { AppError } from '@/lib/base/http/problems';
import { expect, it } from 'vitest';
import { setUpRecording } from '@/testing/history/recording';
import { USDOT, atMs, recordShift, storeShift } from '@/testing/history/shift';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { Alert } from '@/lib/rules/alert-rule';
import { groupLines, toHandoverSections } from '../text';
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
  expect(textsOf('Visits to sites')).toEqual(['left :13 after 11 min (learned later)', 'since :15–:25']);
  expect(textsOf('Became silent')).toEqual(['vanished while moving: last fix at :19, Amarillo, TX']);
  expect(textsOf('Changed identity')).toEqual(['truck number 116 → 117 at :30']);
  // One line for a truck, which is not named in it again.
  expect(textsOf('Open alerts')).toEqual([
    'is late: last fix at :20, Amarillo, TX (Kim: “Calls the driver”); also: rule of me',
  ]);
  expect([...groupLines(sections.find(({ title }) => title === 'Flagged')!.lines).keys()]).toEqual([
    'Identity changed',
  ]);
});

it('lists each alert that is open, whenever it opened, and of closed ones those that closed since then', async () => {
  await recordShift(held);
  await storeShift(held);
  const { reader, pool } = held;
  const close = `UPDATE linehaul.alerts SET closed_ms = $1 WHERE rule_name = 'rule of me'`;
  const history = { reader, reports: { readRange: async () => [] } } as never;
  const read = async (fromMinute: number) => {
    const range = { fromMs: atMs(fromMinute), toMs: atMs(50) };
    const { alerts } = await readHandover({ history, pool }, { id: 'me' }, USDOT, range);
    return alerts.map(({ ruleName, closedMs }) => [ruleName, closedMs]);
  };
  await pool.query(close, [atMs(40)]);
  expect(await read(30)).toEqual([
    ['rule of all', null],
    ['rule of me', atMs(40)],
  ]);
  expect(await read(45)).toEqual([['rule of all', null]]);
});

const toAlert = (unit: string, more: Partial<Alert>): Alert => ({
  ...{ id: 1, ruleId: 1, ruleName: 'Vanished on the road', severity: 'warning', unit },
  ...{ openedMs: atMs(20), closedMs: null, acknowledgedBy: null, acknowledgedMs: null, note: null },
  closedBy: null,
  facts: {
    ...{ condition: { kind: 'vanishes' }, unitName: unit, fixAtMs: atMs(20), lat: null, lng: null },
    ...{ status: 'silent', reason: 'vanishedMoving', speedMph: null, sinceMs: null, siteId: null },
    ...{ siteName: null, betweenMs: null, flags: [] },
  },
  ...more,
});

it('begins with what is open, the most severe and the newest first; what is closed follows by rule, and nothing is said twice', () => {
  const silent = ['1', '9'].map((key) => ({
    ...{ key, name: key, reason: 'vanishedMoving' as const, fixAtMs: atMs(5), lat: null, lng: null },
  }));
  const note = { acknowledgedBy: 'Kim', note: 'Left a message.' };
  const handover = {
    ...{ fromMs: atMs(0), toMs: atMs(50), visitedMs: null, isCompared: true, silent },
    ...{ reporting: [], flagged: [], renamed: [], visits: [], drivers: [], notes: [], loads: [] },
    alerts: [
      toAlert('1', { openedMs: atMs(10), severity: 'critical', ...note }),
      toAlert('2', { openedMs: atMs(5), closedMs: atMs(8), ruleName: 'Back at a yard' }),
      toAlert('3', { openedMs: atMs(30), severity: 'critical' }),
      toAlert('4', { openedMs: atMs(12), closedMs: atMs(20) }),
      toAlert('5', { openedMs: atMs(40) }),
      toAlert('6', { openedMs: atMs(22), closedMs: atMs(30) }),
      toAlert('1', { openedMs: atMs(45), ruleName: 'Silent' }),
    ],
  };
  const minuteOf = (ms: number): string => `:${(ms - START_MS) / MINUTE_MS}`;
  const sections = toHandoverSections(handover, { moment: minuteOf, place: () => '' });
  const shown = sections.filter(({ lines }) => lines.length > 0);
  const namesOf = (index: number) => shown[index]!.lines.map(({ name }) => name);
  expect(shown.map(({ title, isToCall = false }) => [title, isToCall])).toEqual([
    ['Open alerts', true],
    ['Became silent', true],
    ['Closed alerts', false],
  ]);
  expect(namesOf(0)).toEqual(['3', '1', '5']);
  expect(namesOf(1)).toEqual(['9']);
  expect(
    [...groupLines(shown[2]!.lines)].map(([group, lines]) => [group, lines.map(({ name }) => name)]),
  ).toEqual([
    ['Vanished on the road', ['6', '4']],
    ['Back at a yard', ['2']],
  ]);
  // When it closed, which is why it is listed; and the truck's two alerts are two.
  expect(shown[2]!.lines.map(({ text }) => text)).toEqual([':30', ':20', ':8']);
  expect(shown[0]).toMatchObject({ count: 4, of: '3 trucks' });
  const called = shown.flatMap(({ isToCall, lines }) => (isToCall ? lines.map(({ unit }) => unit) : []));
  expect(new Set(called).size).toBe(called.length);
  const text = JSON.stringify(shown);
  expect(text.split('Left a message.').length).toBe(2);
  expect(text).not.toContain('Truck ');
});

it('lists open alerts of a rule together from ten on, each with since when and where', () => {
  const facts = { ...toAlert('', {}).facts, lat: 35.2, lng: -101.8, sinceMs: atMs(7) };
  const toLines = (count: number) => {
    const flood = Array.from({ length: count }, (_, i) =>
      toAlert(`${i}`, { id: i, ruleName: 'Stands', facts: { ...facts, unitName: `${i}` } }),
    );
    const handover = {
      ...{ fromMs: atMs(0), toMs: atMs(50), visitedMs: null, isCompared: true, silent: [], reporting: [] },
      ...{ flagged: [], renamed: [], visits: [], drivers: [], notes: [], loads: [] },
      alerts: [...flood, toAlert('x', { id: 99, severity: 'critical' })],
    };
    const format = { moment: (ms: number) => `:${(ms - START_MS) / MINUTE_MS}`, place: () => 'Amarillo, TX' };
    return groupLines(toHandoverSections(handover, format)[0]!.lines);
  };
  const grouped = toLines(10);
  expect([...grouped].map(([group, lines]) => [group, lines.length])).toEqual([
    ['', 1],
    ['Stands', 10],
  ]);
  expect(grouped.get('Stands')![0]!.text).toBe('since :7, Amarillo, TX');
  expect([...toLines(9).keys()]).toEqual(['']);
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
    ['RENAMED', '11 h 00 m, at least 100 mi'],
    ['DRIVES', '8 h 30 m, at least 100 mi'],
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
