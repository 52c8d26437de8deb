import { describe, expect, it } from 'vitest';
import {
  formatTime,
  formatExactTime,
  formatMoment,
  formatAge,
  formatCount,
  formatDistance,
  formatDuration,
  formatShortCount,
  toMph,
} from './format';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { readUnitRow } from './unit-row';
import { coarseText, pastText, statusText, carrierText, LIST_COLUMNS, columnsText } from './text';
import { isDemoUsdot } from '@/lib/identity/carrier-numbers';
import { UNNAMED } from '@/lib/wire/fleet';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const NOW_MS = Date.UTC(2026, 10, 21, 20, 7, 31);

const say = (unit: UnitFields) => statusText(readUnitRow(createTestFleet([unit]), 0)!, NOW_MS);

describe('an old copy', () => {
  it.each([
    [{ status: 'moving', reason: 'displaced', speedKph: 103 }, 'was moving at 10:12'],
    [{ status: 'stopped', reason: 'inPlace', sinceS: NOW_MS / S - 3600 }, 'was parked at 10:12'],
    [{ status: 'late', reason: 'overdue', speedKph: 103 }, 'was late at 10:12'],
    [{ status: 'silent', reason: 'vanishedMoving' }, 'vanished while moving'],
    [{ status: 'silent', reason: 'neverSeen' }, 'never seen'],
  ] as [UnitFields, string][])('says what a unit did then, and nothing that counts on: %o', (unit, words) => {
    const copy = { asOfMs: NOW_MS, at: '10:12' };
    expect(pastText(readUnitRow(createTestFleet([{ fixAtS: NOW_MS / S - 5, ...unit }]), 0)!, copy)).toBe(
      words,
    );
  });

  it('gives the time of the fix where that was old already', () => {
    const row = readUnitRow(createTestFleet([{ status: 'moving', reason: 'displaced' }]), 0)!;
    const unit = { ...row, fixAtMs: NOW_MS - H, datedAfterMs: 5 * MIN };
    expect(pastText(unit, { asOfMs: NOW_MS, at: '10:12' })).toBe(
      `was moving at ${formatMoment(NOW_MS - H, NOW_MS)}`,
    );
  });
});

describe('numbers as text', () => {
  it('gives an age in its largest unit', () => {
    expect([-5 * S, 12.9 * S, 59.9 * S, MIN, 59 * MIN, 3.9 * H, 50 * H].map(formatAge)).toEqual([
      '0 s',
      '12 s',
      '59 s',
      '1 min',
      '59 min',
      '3 h',
      '2 d',
    ]);
  });

  it('gives a duration in two units', () => {
    expect([45 * S, 38 * MIN, 2 * H + 14 * MIN, 9 * H + 2 * MIN, 76 * H].map(formatDuration)).toEqual([
      '45 s',
      '38 min',
      '2 h 14 m',
      '9 h 02 m',
      '3 d 4 h',
    ]);
  });

  it('gives road distances, and speeds in mph', () => {
    expect([18, 4989, 344_400, 2e6].map(formatDistance)).toEqual(['60 ft', '3.1 mi', '214 mi', '1,243 mi']);
    expect(toMph(103)).toBe(64);
  });

  it('gives counts, and short counts where there is little room', () => {
    expect([
      formatCount(1, 'fix', 'fixes'),
      formatCount(2, 'fix', 'fixes'),
      formatCount(1200, 'unit'),
    ]).toEqual(['1 fix', '2 fixes', '1,200 units']);
    expect([392, 9999, 84_213, 99_960, 1_200_000].map(formatShortCount)).toEqual([
      '392',
      '9,999',
      '84.2k',
      '100k',
      '1.2M',
    ]);
  });
});

describe('times as text', () => {
  it('names the zone, and the day when it is another one there', () => {
    expect(formatTime(NOW_MS, 'UTC')).toBe('8:07:31 PM');
    expect(formatExactTime(NOW_MS, NOW_MS, 'America/Chicago')).toBe('2:07:31 PM CST');
    expect(formatMoment(NOW_MS - 30 * H, NOW_MS, 'America/Chicago')).toBe('Nov 20, 8:07 AM');
    expect(formatMoment(NOW_MS - H, NOW_MS, 'America/Chicago')).toBe('1:07 PM');
  });
});

describe('the status of a unit as text', () => {
  it.each<[string, UnitFields]>([
    ['64 mph E', { status: 'moving', speedKph: 103, headingDeg: 82 }],
    ['moving', { status: 'moving' }],
    ['parked 2 h 14 m', { status: 'stopped', sinceS: NOW_MS / S - 8040 }],
    ['just parked', { status: 'stopped', sinceS: NOW_MS / S - 20 }],
    ['parked', { status: 'stopped' }],
    ['last 58 mph', { status: 'late', speedKph: 93 }],
    ['overdue', { status: 'late' }],
    ['vanished while moving', { status: 'silent', reason: 'vanishedMoving' }],
    ['vanished while parked', { status: 'silent', reason: 'vanishedStopped' }],
    ['gone quiet', { status: 'silent', reason: 'quiet' }],
    ['never seen', { status: 'silent', reason: 'neverSeen' }],
    ['one fix', { status: 'unknown' }],
    ['no usable fix', { status: 'unknown', reason: 'noFix' }],
    ['moving, clock wrong', { status: 'moving', reason: 'byReceipt', headingDeg: 82 }],
    ['parked 2 h 14 m', { status: 'stopped', reason: 'byReceipt', sinceS: NOW_MS / S - 8040 }],
    ['reporting, clock wrong', { status: 'unknown', reason: 'byReceipt' }],
  ])('is "%s"', (words, unit) => {
    expect(say(unit)).toBe(words);
  });
});

describe('a status that depends on an old fix', () => {
  const [row, zone] = [(unit: UnitFields) => readUnitRow(createTestFleet([unit]), 0)!, 'America/Chicago'];
  const fixAtS = NOW_MS / S - 600;
  const whatAt = (unit: UnitFields, nowMs = NOW_MS) => statusText(row({ fixAtS, ...unit }), nowMs, zone);
  const eastward = { status: 'moving', speedKph: 103, headingDeg: 82 } as const;

  it('gives the time of the fix, in the reader’s zone, from an age that exceeds the unit’s usual interval', () => {
    expect(whatAt({ ...eastward, datedAfterS: 600 })).toBe('64 mph E at 1:57 PM');
    expect(whatAt({ ...eastward, datedAfterS: 601 })).toBe('64 mph E');
    expect(whatAt({ ...eastward, datedAfterS: 0 }, NOW_MS - 600 * S)).toBe('64 mph E at 1:57 PM');
    expect(whatAt(eastward, NOW_MS + 12 * H)).toBe('64 mph E at Nov 21, 1:57 PM');
  });

  it('stops counting how long the unit has been parked', () => {
    expect(whatAt({ status: 'stopped', sinceS: fixAtS - 8040 })).toBe('parked 2 h 14 m at 1:57 PM');
    expect(whatAt({ status: 'stopped', sinceS: fixAtS - 20 })).toBe('parked at 1:57 PM');
  });

  it('adds nothing for a unit that is late or silent, whose status has the time', () => {
    expect(whatAt({ status: 'late', speedKph: 93 })).toBe('last 58 mph');
    expect(whatAt({ status: 'silent' })).toBe('gone quiet');
    expect(whatAt({ status: 'unknown' })).toBe('one fix at 1:57 PM');
    expect(whatAt({ status: 'unknown', fixAtS: undefined })).toBe('one fix');
    expect(whatAt({ status: 'moving', reason: 'byReceipt' })).toBe('moving, clock wrong at 1:57 PM');
  });
});

describe('a coarse position', () => {
  it('gives its error in feet or miles', () => {
    expect(coarseText(1112)).toBe('position is coarse (±0.7 mi)');
    expect(coarseText(94)).toBe('position is coarse (±310 ft)');
    expect(coarseText(0)).toBe('');
  });
});

const ACCOUNT = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };

it('names the carrier of a fleet that is the account’s own', () => {
  expect(carrierText('9100001', ACCOUNT)).toEqual({
    name: 'Mesa Verde Lines',
    numbers: 'USDOT 9100001 · ID MVL-1',
  });
});

it('gives no fleet the name of another carrier, and names the account that shows it', () => {
  expect(carrierText('9100002', ACCOUNT)).toEqual({
    name: 'USDOT 9100002',
    numbers: 'seen with the key of Mesa Verde Lines',
  });
  expect(carrierText('9100002', null)).toEqual({ name: 'USDOT 9100002', numbers: '' });
});

describe('isDemoUsdot', () => {
  it('takes high numbers for made-up ones where the server shows the demo', () => {
    expect(isDemoUsdot('9000001', true)).toBe(true);
    expect(isDemoUsdot('9100001', true)).toBe(true);
  });

  it('takes the number of a carrier that was added to the demo for a real one', () => {
    expect(isDemoUsdot('1234567', true)).toBe(false);
  });

  it('takes every number for a real one elsewhere, however high it is', () => {
    expect(isDemoUsdot('9000001', false)).toBe(false);
    expect(isDemoUsdot('12345678', false)).toBe(false);
  });
});

const UNIT = {
  ...UNNAMED,
  key: '1FUJGLDR0NLM12041',
  vin: '1FUJGLDR0NLM12041',
  plateState: 'TX',
  plateNumber: 'R48 2207',
  year: 2022,
  make: 'Freightliner',
  model: 'Cascadia',
  deviceId: 'PT30-0110',
  marks: { notes: [], tags: ['flatbeds', 'night shift'] },
};

it('joins the chosen columns of a unit, and leaves out what it has not', () => {
  expect(columnsText(UNIT, LIST_COLUMNS)).toBe(
    'TX R48 2207 · 1FUJGLDR0NLM12041 · 2022 Freightliner Cascadia · PT30-0110 · flatbeds, night shift',
  );
  expect(columnsText({ ...UNIT, plateState: null, model: null }, ['plate', 'vehicle'])).toBe(
    'R48 2207 · 2022 Freightliner',
  );
  expect(columnsText({ ...UNNAMED, key: 'device:phone-7' }, LIST_COLUMNS)).toBe('');
});
