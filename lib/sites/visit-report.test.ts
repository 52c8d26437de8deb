import { expect, it } from 'vitest';
import { HOUR_MS } from '@/lib/base/time';
import { atLeastText, sumStays, toVisitReportCsv, type ReportedVisit } from './visit-report';

const visit = (more: Partial<ReportedVisit>): ReportedVisit => ({
  ...{
    unit: 'A',
    name: '7',
    siteId: 1,
    siteName: 'Yard',
    arrivedAfterMs: 9 * HOUR_MS,
    arrivedMs: 10 * HOUR_MS,
  },
  ...{ leftMs: 12 * HOUR_MS, leftByMs: 13 * HOUR_MS, isLearnedLater: false, awayMs: 0 },
  ...more,
});

it('a visit of which no fix shows the arrival or the departure is no measured stay', () => {
  const visits = [
    visit({}),
    visit({ arrivedAfterMs: null }),
    visit({ leftByMs: null }),
    visit({ leftMs: null, leftByMs: null }),
  ];
  expect(sumStays(visits)).toBe(2 * HOUR_MS);
  expect(atLeastText(visits)).toMatch(
    /^2 visits with an arrival or a departure that no fix shows: their stays/,
  );
  expect(atLeastText([visit({})])).toBeNull();
  const stays = toVisitReportCsv(visits, 'UTC')
    .trim()
    .split('\r\n')
    .map((line) => line.split(',')[7]);
  expect(stays).toEqual(['stayed_h', '2.00', '', '', '']);
});
