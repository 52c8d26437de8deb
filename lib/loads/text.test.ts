import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '@/lib/arrivals/load';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import type { Load, LoadStop } from './load';
import {
  appointmentText,
  attentionText,
  betweenText,
  eventText,
  eventTimeText,
  findLoads,
  freeTimeText,
  isOfRange,
  laterVerdictText,
  loadVerdictLabel,
  noWindowText,
  sortLoads,
  stateText,
  stopMoment,
  toBoardVerdict,
  toUnitLoads,
  verdictDetail,
  windowText,
} from './text';

const ZONE = 'America/Chicago';
const { TZ } = process.env;
// The viewer's clock.
beforeAll(() => {
  process.env.TZ = ZONE;
});
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

/** 1:40 PM CST. */
const NOW_MS = Date.UTC(2026, 10, 29, 19, 40);
const at = (hours: number, minutes = 0): number => NOW_MS + hours * HOUR_MS + minutes * MINUTE_MS;

const FREE = { freeMin: 120, countedFrom: 'appointment' } as const;

const stopOf = (stop: Partial<LoadStop> = {}): LoadStop => ({
  ...{ kind: 'delivery', siteId: 1, name: 'Acme DC', address: '', lat: 38, lng: -90, timeZone: ZONE },
  ...{ appointment: null, freeMin: null, contactName: '', contactPhone: '', isOwn: false, free: null },
  ...stop,
});

const loadOf = (load: Partial<Load> = {}): Load => ({
  ...{ id: 1, reference: '8841', po: 'PO 55-210', bol: '77', customer: 'Acme Foods', note: '', tags: [] },
  ...{ endedMs: null, endedBy: null, madeBy: 'ann@carrier.test', madeMs: at(-9) },
  stops: [stopOf({ kind: 'pickup', name: 'Mill 4' }), stopOf()],
  trucks: [{ unit: 'A', fromMs: at(-9), toMs: null, madeBy: 'ann@carrier.test' }],
  ...{ state: 'toDelivery', next: 1, verdict: 'none', window: null, noWindow: null, seenMs: NOW_MS },
  judged: [
    { visit: null, isPassed: false },
    { visit: null, isPassed: false },
  ],
  ...load,
});

const windowOf = (fromMs: number, toMs: number): Load['window'] => ({
  ...{ fromMs, toMs, by: 'roads', fixAtMs: NOW_MS, distM: 1000, grades: 0 },
});

const visit = {
  ...{ siteId: 1, unit: 'A', arrivedAfterMs: at(-3, 30), arrivedMs: at(-3, 34) },
  ...{ leftMs: at(-2), leftByMs: at(-2, 2) },
};

it.each([
  [at(0, 32), at(1, 58), '2:10–3:40 PM'],
  [at(-1), at(1, 58), 'now–3:40 PM'],
  [at(9), at(11), '10:40 PM–Mon 12:45 AM'],
  [at(24), at(25), 'Mon 1:40–2:45 PM'],
  [at(22), at(23), 'Mon 11:40 AM–12:45 PM'],
  [at(1), at(1), '2:40–2:45 PM'],
])('a window is a range, rounded outward: %# %s %s', (fromMs, toMs, text) => {
  expect(windowText({ fromMs, toMs }, NOW_MS, ZONE)).toBe(text);
});

it('a time by another clock than the viewer’s names its zone', () => {
  const appointment = { fromMs: at(0, 20), toMs: at(2, 20) };
  expect(appointmentText({ appointment, timeZone: ZONE }, NOW_MS)).toBe('2:00–4:00 PM');
  // Its clock shows the same time in winter.
  expect(appointmentText({ appointment, timeZone: 'America/Winnipeg' }, NOW_MS)).toBe('2:00–4:00 PM');
  expect(appointmentText({ appointment, timeZone: 'America/Denver' }, NOW_MS)).toBe('1:00–3:00 PM MST');
  const tomorrow = { fromMs: at(24, 20), toMs: at(24, 20) };
  expect(appointmentText({ appointment: tomorrow, timeZone: 'America/New_York' }, NOW_MS)).toBe(
    'Mon 3:00 PM EST',
  );
  expect(windowText({ fromMs: at(-1), toMs: at(1, 58) }, NOW_MS, 'America/Denver')).toBe('now–2:40 PM MST');
  expect(betweenText(at(0, 30), at(0, 34), NOW_MS, 'America/Denver')).toBe('between 1:10 and 1:14 PM MST');
  expect(betweenText(null, at(0, 34), NOW_MS, 'America/Denver')).toBe('by 1:14 PM MST');
  // The later day is today, which a time alone would not say after another day.
  expect(appointmentText({ appointment: { fromMs: at(-30), toMs: at(-5) }, timeZone: ZONE }, NOW_MS)).toBe(
    'Nov 28, 7:40 AM–today 8:40 AM',
  );
  // In the hour that comes twice the zone is there already.
  const twiceMs = Date.UTC(2026, 10, 1, 8, 30);
  expect(stopMoment(twiceMs, twiceMs, 'America/Denver')).toBe('1:30 AM MST');
});

it('evidence lies between two fixes', () => {
  expect(betweenText(at(0, 30), at(0, 34), NOW_MS, ZONE)).toBe('between 2:10 and 2:14 PM');
  expect(betweenText(null, at(0, 34), NOW_MS, ZONE)).toBe('by 2:14 PM');
  expect(betweenText(at(0, 34), null, NOW_MS, ZONE)).toBe('after 2:14 PM');
  expect(betweenText(at(0, 34), at(0, 34), NOW_MS, ZONE)).toBe('at 2:14 PM');
});

describe('the board', () => {
  it.each([
    [{ verdict: 'late' }, 'late'],
    [{ verdict: 'none' }, 'none'],
    [{ verdict: 'none', noWindow: 'silent' }, 'unknown'],
    [{ verdict: 'none', noWindow: 'atStop', state: 'atDelivery' }, 'none'],
    [{ verdict: 'none', state: 'noTruck' }, 'unknown'],
    [{ verdict: 'late', state: 'noTruck' }, 'late'],
    [{ verdict: 'none', state: 'delivered', endedMs: at(-1) }, 'done'],
  ] as const)('%o is %s', (load, verdict) => {
    expect(toBoardVerdict(loadOf(load))).toBe(verdict);
  });

  it('is sorted by verdict, then by the next appointment', () => {
    const stops = (toMs: number) => [stopOf(), stopOf({ appointment: { fromMs: toMs, toMs } })];
    const loads = [
      loadOf({ reference: 'done', endedMs: at(-1), next: null, state: 'delivered' }),
      loadOf({ reference: 'fine', verdict: 'onTime', stops: stops(at(1)) }),
      loadOf({ reference: 'none' }),
      loadOf({ reference: 'later', verdict: 'late', stops: stops(at(2)) }),
      loadOf({ reference: 'sooner', verdict: 'late', stops: stops(at(1)) }),
      loadOf({ reference: 'silent', noWindow: 'silent' }),
      loadOf({ reference: 'risk', verdict: 'atRisk', stops: stops(at(9)) }),
    ];
    expect(sortLoads(loads).map(({ reference }) => reference)).toEqual([
      ...['risk', 'sooner', 'later', 'silent', 'fine', 'none', 'done'],
    ]);
    expect(toUnitLoads(loads, NOW_MS)[0]).toEqual({
      ...{ id: 1, unit: 'A', references: ['risk', 'PO 55-210', '77'], verdict: 'atRisk' },
      label: 'at risk',
    });
    expect(toUnitLoads(loads, NOW_MS)).toHaveLength(6);
  });

  it('finds loads by each reference, customer, stop and truck', () => {
    const loads = [
      loadOf(),
      loadOf({ reference: '8850', po: '', bol: '', customer: '', stops: [stopOf({ name: 'X' })] }),
    ];
    const found = (query: string): number => findLoads(loads, query, () => 'Rig 118').length;
    expect(['8841', '55-210', 'acme', 'mill', '118', '', 'nothing'].map(found)).toEqual([
      1, 1, 1, 1, 2, 2, 0,
    ]);
  });

  it('shows a load on the days of its appointments, and until its end on the present one', () => {
    const today = { fromMs: at(-12), toMs: at(12) };
    const tomorrow = { fromMs: at(12), toMs: at(36) };
    const load = loadOf({ stops: [stopOf(), stopOf({ appointment: { fromMs: at(20), toMs: at(21) } })] });
    expect([isOfRange(load, today, NOW_MS), isOfRange(load, tomorrow, NOW_MS)]).toEqual([false, true]);
    expect(isOfRange(loadOf(), today, NOW_MS)).toBe(true);
    expect(isOfRange(loadOf({ endedMs: at(-20) }), today, NOW_MS)).toBe(false);
    const overdue = loadOf({
      stops: [stopOf(), stopOf({ appointment: { fromMs: at(-40), toMs: at(-39) } })],
    });
    expect(isOfRange(overdue, today, NOW_MS)).toBe(true);
  });
});

describe('what is said of a load', () => {
  const appointment = { fromMs: at(0), toMs: at(1) };
  const stops = [stopOf({ kind: 'pickup' }), stopOf({ appointment })];
  const DELIVERED = { state: 'delivered', endedMs: at(2), next: null } as const;
  const NO_VISIT = { visit: null, isPassed: false };
  const arrived = (arrivedAfterMs: number | null, arrivedMs: number) => ({
    ...NO_VISIT,
    visit: { ...visit, arrivedAfterMs, arrivedMs, leftMs: at(5), leftByMs: at(5) },
  });

  it.each([
    [{ verdict: 'atRisk', window: windowOf(at(0, 30), at(1, 30)) }, 'by up to 30 min'],
    [{ verdict: 'late', window: windowOf(at(1, 20), at(2, 5)) }, 'by 20 min to 1 h 05 m'],
    [{ verdict: 'late', window: windowOf(at(1) + 3000, at(1, 28)) }, 'by up to 28 min'],
    [{ verdict: 'late', window: windowOf(at(1, 5), at(1, 5)) }, 'by 5 min'],
    [{ verdict: 'onTime', window: windowOf(at(0, 10), at(0, 30)) }, null],
    [{ verdict: 'unknown', noWindow: 'silent' }, 'its truck is silent'],
    [{ verdict: 'none', state: 'noTruck', noWindow: null }, 'no truck'],
    [{ ...DELIVERED, judged: [NO_VISIT, arrived(at(1, 10), at(1, 14))] }, 'late by 10 to 14 min'],
    [{ ...DELIVERED, judged: [NO_VISIT, arrived(null, at(3, 14))] }, 'arrived by 4:54 PM'],
    [{ ...DELIVERED, judged: [NO_VISIT, arrived(at(0, 50), at(1, 14))] }, 'on time, or up to 14 min late'],
    [{ ...DELIVERED, judged: [NO_VISIT, arrived(at(0, 50), at(0, 54))] }, 'on time'],
    [{ ...DELIVERED, judged: [NO_VISIT, NO_VISIT] }, null],
    [{ ...DELIVERED, state: 'closed', judged: [NO_VISIT, NO_VISIT] }, null],
  ] as const)('%o: %s', (load, text) => {
    expect(verdictDetail(loadOf({ ...load, stops }), NOW_MS)).toBe(text);
  });

  it.each([
    [{ verdict: 'late', window: windowOf(at(1, 20), at(2, 5)) }, at(0), 'Will be late'],
    [{ verdict: 'late', window: windowOf(at(1, 20), at(2, 5)) }, at(1, 1), 'Late'],
    [{ verdict: 'late', state: 'atDelivery' }, at(0), 'Late'],
    [{ verdict: 'atRisk' }, at(0), 'At risk'],
  ] as const)('is late, or will be: %o', (load, nowMs, label) => {
    expect(loadVerdictLabel(loadOf({ ...load, stops }), nowMs)).toBe(label);
    const [mark] = toUnitLoads([loadOf({ ...load, stops })], nowMs);
    expect(mark!.label).toBe(label.toLowerCase());
  });

  it('is what is foreseen for later stops, the worst of it', () => {
    const later = (...verdicts: (Verdict | null)[]) => ({
      ...loadOf({ stops: [...stops, ...stops] }),
      later: verdicts.map((verdict) => verdict && { window: null, verdict }),
    });
    expect(laterVerdictText(later(null, 'onTime', 'none'), NOW_MS)).toBeNull();
    expect(laterVerdictText(later(null, 'onTime', null, 'atRisk'), NOW_MS)).toBe('Acme DC at risk');
    expect(laterVerdictText(later(null, 'atRisk', null, 'late'), at(0))).toBe('Acme DC will be late');
  });

  it('is its state with the evidence', () => {
    const judged = [{ visit, isPassed: false }];
    const state = (load: Partial<Load>) => stateText(loadOf({ judged, ...load }), NOW_MS);
    expect(
      state({ state: 'atPickup', judged: [{ visit: { ...visit, leftMs: null }, isPassed: false }] }),
    ).toBe('At pickup since 11:10–11:14 AM');
    expect(state({})).toBe('In transit, left 11:40–11:42 AM');
    const far = [stopOf({ timeZone: 'America/Denver' }), stopOf()];
    expect(state({ stops: far })).toBe('In transit, left 10:40–10:42 AM MST');
    expect(state({ judged: [], state: 'noTruck' })).toBe('No truck');
    expect(noWindowText({ state: 'toPickup', noWindow: null })).toBe('being calculated');
  });

  it('is each event with its time as it is known', () => {
    const judged = [
      { visit, isPassed: false },
      { visit: null, isPassed: false },
    ];
    const load = loadOf({ judged });
    const event = {
      kind: 'arrived',
      position: 0,
      unit: 'A',
      atMs: visit.arrivedMs,
      seenMs: NOW_MS,
      actor: null,
    };
    expect(eventText(event, load, String)).toBe('Arrived at Mill 4');
    expect(eventTimeText(event, load, NOW_MS)).toBe('between 11:10 and 11:14 AM');
    const left = { ...event, kind: 'left', atMs: visit.leftMs };
    expect(eventText(left, load, String)).toBe('Loaded at Mill 4, left');
    expect(eventTimeText(left, load, NOW_MS)).toBe('between 11:40 and 11:42 AM');
    const passed = { ...event, kind: 'passed', unit: '', atMs: at(0, 34) };
    expect(`${eventText(passed, load, String)} ${eventTimeText(passed, load, NOW_MS)}`).toBe(
      'No visit to Mill 4 was seen before the truck was at a later stop, 2:14 PM',
    );
    expect(eventText({ ...event, kind: 'truck' }, load, () => '118')).toBe('Given to truck 118');
  });

  it('is what needs someone beside the verdict', () => {
    const there = (arrivedHours: number) => ({
      ...{ state: 'atPickup' as const, next: 0, stops: [stopOf({ free: FREE }), stopOf()] },
      judged: [{ visit: { ...visit, arrivedMs: at(arrivedHours), leftMs: null }, isPassed: false }, NO_VISIT],
    });
    const say = (load: Partial<Load>, isStill = false) => attentionText(loadOf(load), isStill, NOW_MS);
    expect(say(there(-1))).toBeNull();
    expect(say(there(-1.75))).toBe('Free time until 1:55 PM');
    expect(say(there(-2.5))).toBe('Free time over by 30 min');
    expect(say({}, true)).toBe('Not moving toward its stop');
    expect(say({ state: 'delivered', next: null }, true)).toBeNull();
  });

  it('is its free time', () => {
    const stop = stopOf({ free: FREE });
    expect(freeTimeText(stop, null, NOW_MS)).toBe('2 h 00 m');
    expect(freeTimeText(stop, { ...visit, arrivedMs: at(-1), leftMs: null }, NOW_MS)).toBe(
      '2 h 00 m, until 2:40 PM',
    );
    expect(freeTimeText(stop, { ...visit, leftMs: null }, NOW_MS)).toBe('2 h 00 m, over by 26 min');
    // It has left, and is not counted yet.
    expect(freeTimeText(stop, visit, NOW_MS)).toBe('2 h 00 m');
    const sure = (away: TimeRange[], toMs: number) => ({ fromMs: visit.arrivedMs, toMs, away });
    const leftAt = (toMs: number, away: TimeRange[] = []) => ({
      ...visit,
      leftMs: toMs,
      sure: sure(away, toMs),
    });
    expect(freeTimeText(stop, leftAt(visit.leftMs), NOW_MS)).toBe('2 h 00 m, kept');
    const away = { fromMs: visit.arrivedMs + 30 * MINUTE_MS, toMs: visit.arrivedMs + 60 * MINUTE_MS };
    const leftMs = visit.arrivedMs + 170 * MINUTE_MS;
    expect(freeTimeText(stop, leftAt(leftMs), NOW_MS)).toBe('2 h 00 m, over by 50 min');
    expect(freeTimeText(stop, leftAt(leftMs, [away]), NOW_MS)).toBe('2 h 00 m, over by 20 min');
    // Free time did not go on while it was away.
    const lasts = { ...visit, leftMs: null, sure: sure([away], NOW_MS) };
    expect(freeTimeText(stop, lasts, NOW_MS)).toBe('2 h 00 m, until 1:44 PM');
    // It came five hours before its appointment, with which free time begins.
    const appointment = { fromMs: at(1, 30), toMs: at(3) };
    const early = { ...visit, leftMs: null };
    expect(freeTimeText({ ...stop, appointment }, early, NOW_MS)).toBe('2 h 00 m, until 5:10 PM');
    const fromArrival = stopOf({ free: { ...FREE, countedFrom: 'arrival' }, appointment });
    expect(freeTimeText(fromArrival, early, NOW_MS)).toBe('2 h 00 m, over by 26 min');
  });
});
