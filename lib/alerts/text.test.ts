import { expect, it } from 'vitest';
import { formatMoment } from '../view/format';
import type { AlertCondition, AlertFacts, AlertRule, UnitScope } from '@/lib/rules/alert-rule';
import { alertText, hoursText, ruleText } from './text';

const WEEK = {
  timeZone: 'America/Chicago',
  days: [{ weekdays: [1, 2, 3, 4, 5], fromMin: 360, toMin: 1080 }],
};
const NAMES = {
  site: (id: number) => ['', 'Yard Dallas', 'Yard Waco', 'Pump 9', 'Dock'][id] ?? null,
  unit: (key: string) => (key === 'VIN1' ? '116' : null),
};
const ALL: UnitScope = { type: 'all' };

const say = (condition: AlertCondition, units: UnitScope = ALL, schedule: AlertRule['schedule'] = null) =>
  ruleText({ condition, units, schedule }, NAMES);

it.each<[AlertCondition, string]>([
  [{ kind: 'arrives', siteIds: [1] }, 'When any truck arrives at Yard Dallas'],
  [{ kind: 'leaves', siteIds: [1, 2] }, 'When any truck leaves Yard Dallas or Yard Waco'],
  [{ kind: 'leaves', siteIds: [1, 2, 3, 4] }, 'When any truck leaves one of 4 sites'],
  [{ kind: 'arrives', siteIds: [9] }, 'When any truck arrives at a removed site'],
  [{ kind: 'stays', siteIds: null, forMin: 120 }, 'When any truck stays at any site longer than 2 h'],
  [{ kind: 'entersNoGo' }, 'When any truck enters a no-go area'],
  [{ kind: 'silent', forMin: 45 }, 'When any truck is silent for 45 min'],
  [{ kind: 'vanishes' }, 'When any truck vanishes while moving'],
  [{ kind: 'late' }, 'When any truck is late'],
  [{ kind: 'standsOutside', forMin: 90 }, 'When any truck stands longer than 1 h 30 m outside any site'],
  [{ kind: 'movesOutsideHours', hours: WEEK }, 'When any truck moves outside Mon–Fri 6:00 AM–6:00 PM CT'],
  [{ kind: 'exceeds', speedMph: 80 }, 'When any truck exceeds 80 mph, derived over at least two fixes'],
  [{ kind: 'flagged', flags: ['impossibleJump'] }, 'When any truck gets the flag “Jumped”'],
  [
    { kind: 'flagged', flags: ['badVin', 'duplicateVin'] },
    'When any truck gets the flag “Bad VIN” or “VIN twice”',
  ],
  [{ kind: 'reportsAgain' }, 'When any truck reports again after it was silent'],
  [{ kind: 'feedFails', forMin: 2880 }, 'When the feed fails longer than 2 d'],
])('a rule is a sentence: %o', (condition, text) => {
  expect(say(condition)).toBe(text);
});

it.each<[UnitScope, string]>([
  [{ type: 'units', units: ['VIN1'] }, 'When truck 116 is late'],
  [{ type: 'units', units: ['VIN1', 'device:7'] }, 'When truck 116 or device:7 is late'],
  [{ type: 'units', units: ['a', 'b', 'c', 'd'] }, 'When one of 4 trucks is late'],
  [{ type: 'statuses', statuses: ['moving', 'unknown'] }, 'When a moving or unknown truck is late'],
  [{ type: 'makes', makes: ['International'] }, 'When an International is late'],
  [{ type: 'makes', makes: ['A', 'B', 'C', 'D'] }, 'When any truck of 4 makes is late'],
  [
    { type: 'tags', tags: ['flatbed', 'night shift'] },
    'When any truck tagged “flatbed” or “night shift” is late',
  ],
])('a rule names its trucks: %o', (units, text) => {
  expect(say({ kind: 'late' }, units)).toBe(text);
});

it('a schedule is part of the sentence, with the short name of its time zone', () => {
  expect(say({ kind: 'silent', forMin: 45 }, { type: 'tags', tags: ['flatbed'] }, WEEK)).toBe(
    'When any truck tagged “flatbed” is silent for 45 min, Mon–Fri 6:00 AM–6:00 PM CT',
  );
  const days = [
    { weekdays: [6], fromMin: 0, toMin: 1440 },
    { weekdays: [7, 1, 3], fromMin: 1320, toMin: 330 },
  ];
  expect(hoursText({ timeZone: 'UTC', days })).toBe(
    'Sat 12:00 AM–12:00 AM, Mon, Wed, Sun 10:00 PM–5:30 AM UTC',
  );
});

const at = (time: string): number => Date.parse(`2026-11-24T${time}:00Z`);
const FACTS: AlertFacts = {
  condition: { kind: 'late' },
  unitName: '116',
  fixAtMs: at('10:12'),
  lat: 32.7,
  lng: -96.8,
  status: 'moving',
  reason: 'displaced',
  speedMph: null,
  sinceMs: null,
  siteId: null,
  siteName: null,
  betweenMs: null,
  flags: [],
};
const dallas = { siteId: 1, siteName: 'Yard Dallas' };

it.each<[Partial<AlertFacts>, string]>([
  [
    { condition: { kind: 'arrives', siteIds: null }, ...dallas, betweenMs: [at('10:09'), at('10:12')] },
    'Truck 116 arrived at Yard Dallas at 10:12 AM',
  ],
  [
    { condition: { kind: 'arrives', siteIds: null }, ...dallas, betweenMs: [at('10:12'), at('10:40')] },
    'Truck 116 arrived at Yard Dallas between 10:12 AM and 10:40 AM',
  ],
  [
    { condition: { kind: 'leaves', siteIds: null }, ...dallas, betweenMs: [at('10:12'), at('10:14')] },
    'Truck 116 left Yard Dallas at 10:12 AM',
  ],
  [
    { condition: { kind: 'stays', siteIds: null, forMin: 60 }, ...dallas, sinceMs: at('08:30') },
    'Truck 116 has been at Yard Dallas for 2 h 00 m, since 8:30 AM',
  ],
  [
    { condition: { kind: 'entersNoGo' }, siteId: 3, siteName: 'Old bridge' },
    'Truck 116 entered the no-go area Old bridge at 10:12 AM',
  ],
  [
    { condition: { kind: 'silent', forMin: 15 }, sinceMs: at('10:12') },
    'Truck 116 was silent for 18 min: last fix at 10:12 AM',
  ],
  [
    { condition: { kind: 'silent', forMin: 15 }, fixAtMs: null, sinceMs: at('10:00') },
    'Truck 116 was silent for 30 min: no fix so far',
  ],
  [
    { condition: { kind: 'vanishes' }, speedMph: 70.4 },
    'Truck 116 vanished while moving: last fix at 10:12 AM, 70 mph derived',
  ],
  [{ condition: { kind: 'late' } }, 'Truck 116 was late: last fix at 10:12 AM'],
  [
    { condition: { kind: 'standsOutside', forMin: 60 }, sinceMs: at('09:12') },
    'Truck 116 stood for 1 h 18 m outside any site, since 9:12 AM',
  ],
  [
    { condition: { kind: 'movesOutsideHours', hours: WEEK }, speedMph: 34 },
    'Truck 116 moved outside Mon–Fri 6:00 AM–6:00 PM CT: at 10:12 AM, 34 mph derived',
  ],
  [
    { condition: { kind: 'exceeds', speedMph: 80 }, speedMph: 84 },
    'Truck 116 exceeded 80 mph: 84 mph derived over at least two fixes, at 10:12 AM',
  ],
  [
    { condition: { kind: 'flagged', flags: ['badVin'] }, flags: ['badVin', 'impossibleJump'] },
    'Truck 116 was flagged “Bad VIN”, “Jumped” at 10:30 AM',
  ],
  [
    { condition: { kind: 'reportsAgain' }, sinceMs: at('09:00') },
    'Truck 116 reported again at 10:12 AM after 1 h 30 m of silence',
  ],
  [
    { condition: { kind: 'feedFails', forMin: 5 }, unitName: null, fixAtMs: null, sinceMs: at('10:21') },
    'The feed gave no usable answer for 9 min, since 10:21 AM',
  ],
])('an alert is a sentence with its evidence: %o', (facts, text) => {
  const alert = { unit: 'VIN1', openedMs: at('10:30'), facts: { ...FACTS, ...facts } };
  expect(alertText(alert, (ms) => formatMoment(ms, at('11:00'), 'UTC'))).toBe(text);
});
