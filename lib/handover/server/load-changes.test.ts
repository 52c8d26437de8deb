import { expect, it } from 'vitest';
import type { Load, LoadStop } from '@/lib/loads/load';
import { HOUR_MS } from '@/lib/base/time';
import { toHandoverSections } from '../text';
import { toLoadChanges } from './load-changes';

const at = (hour: number): number => hour * HOUR_MS;

const stopOf = (kind: LoadStop['kind'], name: string, untilHour: number | null): LoadStop => ({
  ...{ kind, name, siteId: 1, address: '', lat: 32, lng: -96, timeZone: 'America/Chicago', freeMin: null },
  ...{ contactName: '', contactPhone: '', isOwn: false, free: null },
  appointment: untilHour === null ? null : { fromMs: at(untilHour - 1), toMs: at(untilHour) },
});
const visitOf = (unit: string, from: number, left: number | null): Load['judged'][number] => ({
  isPassed: false,
  visit: {
    ...{ siteId: 1, unit, arrivedAfterMs: at(from) - 60_000, arrivedMs: at(from) },
    ...{ leftMs: left === null ? null : at(left), leftByMs: null },
  },
});
const NOT_THERE = { isPassed: false, visit: null };
const trucksOf = (...trucks: [unit: string, from: number, to: number | null][]): Load['trucks'] =>
  trucks.map(([unit, from, to]) => ({
    ...{ unit, fromMs: at(from), toMs: to === null ? null : at(to), madeBy: 'Kim' },
  }));

const loadOf = (reference: string, more: Partial<Load>): Load => ({
  ...{ id: 1, reference, po: '', bol: '', customer: '', note: '', tags: [], endedMs: null, endedBy: null },
  ...{ madeBy: 'Kim', madeMs: 0, state: 'toDelivery', next: 1, verdict: 'none', window: null },
  ...{ noWindow: null, seenMs: null, stops: [], trucks: [], judged: [] },
  ...more,
});

const toLines = (...loads: Load[]) => {
  const changed = toLoadChanges(loads, { fromMs: at(10), toMs: at(20) }, (key) => `T${key}`);
  const handover = {
    loads: changed,
    alerts: [],
    silent: [],
    flagged: [],
    reporting: [],
    notes: [],
    visits: [],
    renamed: [],
    drivers: [],
    fromMs: at(10),
    toMs: at(20),
    visitedMs: null,
    isCompared: true,
  };
  const sections = toHandoverSections(handover, { moment: (ms) => `${ms / HOUR_MS}:00`, place: () => '' });
  return sections
    .find(({ title }) => title === 'Loads')!
    .lines.map(({ group, name, text }) => `${group} | ${name} | ${text}`);
};

const STOPS = [stopOf('pickup', 'Yard', null), stopOf('delivery', 'Peachtree', 15)];

it('lists what happened to loads within the range with what they are now, late ones first', () => {
  const lines = toLines(
    loadOf('before', {
      stops: STOPS,
      judged: [visitOf('1', 5, 6), NOT_THERE],
      trucks: trucksOf(['1', 1, null]),
      endedMs: at(9),
    }),
    loadOf('swapped', {
      ...{ customer: 'Union Grain', stops: STOPS, judged: [visitOf('1', 9, 11), visitOf('2', 14, null)] },
      trucks: trucksOf(['1', 8, 12], ['2', 12, null]),
    }),
    loadOf('late', {
      stops: STOPS,
      judged: [visitOf('3', 5, 6), NOT_THERE],
      trucks: trucksOf(['3', 1, null]),
      verdict: 'late',
    }),
    loadOf('taken', {
      stops: STOPS,
      judged: [NOT_THERE, NOT_THERE],
      trucks: trucksOf(['4', 1, 12]),
      endedMs: at(13),
      endedBy: 'Ann',
    }),
  );
  expect(lines).toEqual([
    'late · late by 5 h so far | T3 | late at Peachtree: appointment until 15:00',
    'swapped, Union Grain · no appt. | T1 | picked up at Yard, left at 11:00',
    'swapped, Union Grain · no appt. | T2 | has it since 12:00',
    'swapped, Union Grain · no appt. | T2 | at Peachtree since 14:00',
    'taken · done | T4 | no longer has it since 12:00',
    'taken · done | T4 | ended by Ann at 13:00',
  ]);
});
