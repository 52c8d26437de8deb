import { expect, it } from 'vitest';
import { reasonText, toTotalTexts } from './text';

it('tells apart why nothing was recorded: a failure, quarantined answers, and our own database', () => {
  const reason = (state: Parameters<typeof reasonText>[0]['state'], problem: string | null = null) =>
    reasonText({ state, problem });
  expect(reason('failing', 'timeout')).toBe('The provider failed');
  expect(reason('failing', 'drop')).toBe('The provider’s answers contradicted each other');
  expect(reason('failing', 'database')).toBe('The database was away');
  expect(reason('lost', 'database')).toBe('The database was away');
  expect(reason('lost', 'refused')).toBe('The database refused the data');
  expect(reason('lost', 'file')).toBe('The file of these hours cannot be read');
  expect(reason('notRunning')).toBe('Linehaul was not running');
  expect(reason('before')).toBe('The recording had not begun');
});

it('sums up a range in hours and minutes, and a long one in hours', () => {
  const [HOUR_MS, NONE] = [
    3_600_000,
    { drivenM: 0, bridgedM: 0, silentMs: 0, aheadMs: 0, stops: 2, fixes: 9 },
  ];
  const totals = { ...NONE, movingMs: 7.5 * HOUR_MS, stoppedMs: HOUR_MS / 2, notRecordedMs: 133.3 * HOUR_MS };
  expect(toTotalTexts(totals).map(({ text }) => text)).toEqual(['0 mi', '7 h 30 m', '30 min', '133 h', '2']);
});
