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
  [{ kind: 'loadWillBeLate' }, 'When any truck will be late with a load'],
  [{ kind: 'loadLate' }, 'When any truck is late with a load'],
  [
    { kind: 'loadNotMoving', forMin: 45 },
    'When any truck has a load and does not move toward its stop for 45 min',
  ],
  [{ kind: 'freeTimeEnds', inMin: 30 }, 'When any truck is at a stop whose free time ends in 30 min'],
  [{ kind: 'wrongTruck' }, 'When any truck has a load for which another truck is checked at the pickup'],
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
const LOAD: NonNullable<AlertFacts['load']> = {
  ...{ id: 7, reference: '8841', customer: 'Peachtree', stop: 1, stopName: 'Peachtree Paper' },
  appointment: { fromMs: at('14:00'), toMs: at('15:00') },
  window: { fromMs: at('16:10'), toMs: at('17:30') },
  freeEndsMs: null,
};
const dallas = { siteId: 1, siteName: 'Yard Dallas' };

it.each<[Partial<AlertFacts>, string, string?]>([
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
    'Truck 116 has been at Yard Dallas for more than 1 h, since 8:30 AM',
    'Truck 116 was at Yard Dallas for 5 h 28 m, since 8:30 AM',
  ],
  [
    { condition: { kind: 'entersNoGo' }, siteId: 3, siteName: 'Old bridge' },
    'Truck 116 entered the no-go area Old bridge at 10:12 AM',
  ],
  [
    { condition: { kind: 'silent', forMin: 15 }, sinceMs: at('10:12') },
    'Truck 116 has been silent for more than 15 min: last fix at 10:12 AM',
    'Truck 116 was silent for 3 h 46 m: last fix at 10:12 AM',
  ],
  [
    { condition: { kind: 'silent', forMin: 15 }, fixAtMs: null, sinceMs: at('10:00') },
    'Truck 116 has been silent for more than 15 min: no fix so far',
    'Truck 116 was silent for 3 h 58 m: no fix so far',
  ],
  [
    { condition: { kind: 'vanishes' }, speedMph: 70.4 },
    'Truck 116 vanished while moving: last fix at 10:12 AM, 70 mph derived',
  ],
  [
    { condition: { kind: 'late' } },
    'Truck 116 is late: last fix at 10:12 AM',
    'Truck 116 was late: last fix at 10:12 AM',
  ],
  [
    { condition: { kind: 'standsOutside', forMin: 60 }, sinceMs: at('09:12') },
    'Truck 116 has stood for more than 1 h outside any site, since 9:12 AM',
    'Truck 116 stood for 4 h 46 m outside any site, since 9:12 AM',
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
    'The feed has given no usable answer for more than 5 min, since 10:21 AM',
    'The feed gave no usable answer for 3 h 37 m, since 10:21 AM',
  ],
  [
    { condition: { kind: 'loadWillBeLate' }, load: LOAD },
    'Load 8841 will be late at Peachtree Paper: expected 4:10–5:30 PM as of 10:30 AM, appointment until 3:00 PM, truck 116',
    'Load 8841 was to be late at Peachtree Paper: expected 4:10–5:30 PM as of 10:30 AM, appointment until 3:00 PM, truck 116',
  ],
  [
    { condition: { kind: 'loadLate' }, load: { ...LOAD, window: null } },
    'Load 8841 is late at Peachtree Paper: appointment until 3:00 PM, truck 116',
    'Load 8841 was late at Peachtree Paper: appointment until 3:00 PM, truck 116',
  ],
  [
    { condition: { kind: 'loadNotMoving', forMin: 60 }, sinceMs: at('09:00'), load: LOAD },
    'Load 8841 has come no nearer to Peachtree Paper for more than 1 h, since 9:00 AM: appointment until 3:00 PM, truck 116',
    'Load 8841 came no nearer to Peachtree Paper for 4 h 58 m, since 9:00 AM: appointment until 3:00 PM, truck 116',
  ],
  [
    { condition: { kind: 'freeTimeEnds', inMin: 30 }, load: { ...LOAD, freeEndsMs: at('11:00') } },
    'Load 8841 is at Peachtree Paper: free time until 11:00 AM, truck 116',
    'Load 8841 was at Peachtree Paper: free time until 11:00 AM, truck 116',
  ],
  [
    { condition: { kind: 'wrongTruck' }, load: { ...LOAD, wrongCheckMs: at('10:05') } },
    'Load 8841 had another truck checked for it at Peachtree Paper at 10:05 AM; it is for truck 116',
  ],
])(
  'an alert is a sentence with its evidence, which is true whenever it is read: %o',
  (facts, text, ended = text) => {
    const alert = { unit: 'VIN1', openedMs: at('10:30'), closedMs: null, facts: { ...FACTS, ...facts } };
    const moment = (ms: number): string => formatMoment(ms, at('11:00'), 'UTC');
    expect(alertText(alert, moment)).toBe(text);
    expect(alertText({ ...alert, closedMs: at('14:00') }, moment)).toBe(ended);
  },
);

it('an alert that was closed by hand had lasted until then', () => {
  const facts: AlertFacts = { ...FACTS, condition: { kind: 'silent', forMin: 15 }, sinceMs: at('10:12') };
  const alert = { unit: 'VIN1', openedMs: at('10:30'), closedMs: at('11:00'), closedBy: 'Ann', facts };
  expect(alertText(alert, () => '10:12 AM')).toBe('Truck 116 was silent for 48 min: last fix at 10:12 AM');
});
