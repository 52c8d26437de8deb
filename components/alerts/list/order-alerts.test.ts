import { expect, it } from 'vitest';
import type { Alert } from '@/lib/rules/alert-rule';
import { countAlerts, rangeOf, stepTo, toSections } from './order-alerts';
import type { Severity } from '@/lib/rules/severity';

const alert = (id: number, severity: Severity, closedMs: number | null = null): Alert =>
  ({ id, severity, closedMs }) as Alert;
const ids = (alerts: readonly Alert[]): number[] => alerts.map(({ id }) => id);

it('open alerts come first by severity, and newest first, also of two pages that overlap', () => {
  const pages = [alert(5, 'info'), alert(4, 'critical'), alert(6, 'critical', 9), alert(3, 'warning')];
  const { open, closed } = toSections([...pages, alert(4, 'critical'), alert(7, 'critical')], null);
  expect(ids(open)).toEqual([7, 4, 3, 5]);
  expect(ids(closed)).toEqual([6]);
});

it('a severity leaves the others out', () => {
  const { open, closed } = toSections([alert(1, 'info'), alert(2, 'critical', 5)], 'critical');
  expect([ids(open), ids(closed)]).toEqual([[], [2]]);
});

it('the arrows stop at the ends of the list', () => {
  expect(stepTo([9, 8, 7], null, 1)).toBe(9);
  expect(stepTo([9, 8, 7], 9, 1)).toBe(8);
  expect(stepTo([9, 8, 7], 7, 1)).toBe(7);
  expect(stepTo([9, 8, 7], 9, -1)).toBe(9);
  expect(stepTo([9, 8, 7], 5, -1)).toBe(7);
  expect(stepTo([], null, 1)).toBeNull();
});

it('a range goes from one alert to another, up or down', () => {
  const ids = [9, 7, 5, 3];
  expect(rangeOf(ids, 7, 3)).toEqual([7, 5, 3]);
  expect(rangeOf(ids, 5, 9)).toEqual([9, 7, 5]);
  expect(rangeOf(ids, 1, 5)).toEqual([5]);
});

it('the number of a filter is that of the rows that it shows beside the other filter', () => {
  const taken = { ...alert(4, 'critical'), acknowledgedBy: 'Kim' };
  const waiting = { acknowledgedBy: null };
  const open = [
    ...[taken, taken],
    ...[
      { ...alert(1, 'critical'), ...waiting },
      { ...alert(2, 'info'), ...waiting },
    ],
  ];
  const counts = (list: 'all' | 'waiting' | 'open', severity: Severity | null) => {
    const { ofList, ofSeverity } = countAlerts(open, { list, severity });
    return [ofList('waiting'), ofList('open'), ofSeverity('critical'), ofSeverity('info')];
  };
  expect(counts('waiting', null)).toEqual([2, 3, 1, 1]);
  expect(counts('open', 'critical')).toEqual([1, 2, 2, 1]);
  // All has closed ones too, of which not all are read.
  expect(counts('all', null)).toEqual([2, 3, undefined, undefined]);
});
