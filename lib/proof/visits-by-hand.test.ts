import { describe, expect, it } from 'vitest';
import { overFreeMs } from '@/lib/arrivals/free-time';
import { judgeLoad, partsOf, type Assignment, type StopVisit } from '@/lib/arrivals/load';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { RecordedVisits } from '@/lib/rules/recorded-visits';
import type { Site } from '@/lib/rules/site';
import { toSureVisit, type EvidenceFix } from '@/lib/rules/sure-stay';
import { toEvidence } from './evidence';
import { toBilling, toEarlier, type Terms } from './terms';

/** An hour before the clocks are set back in Chicago on 1 November 2026. */
const T0_MS = Date.UTC(2026, 10, 1, 6);
const DEGREES_PER_M = 1 / 111_195.08;
const siteOf = (id: number, northM: number, radiusM = 200): Site => ({
  ...{ id, name: `Dock ${id}`, kind: 'customer', color: '#336699', notes: '', openingHours: null },
  ...{ marginM: 75, shape: { type: 'circle', lat: 35 + northM * DEGREES_PER_M, lng: -101, radiusM } },
});

/** A fix each `every` minutes from one minute to another, so many m north, seen so many minutes later. */
interface Seen {
  from: number;
  to: number;
  m: number;
  every?: number;
  late?: number;
  /** How far the tracker's clock is ahead, minutes. */
  ahead?: number;
  isByReceipt?: boolean;
}
const FAR = 5000;

const toFixes = (seen: readonly Seen[]): EvidenceFix[] =>
  seen
    .flatMap(({ from, to, m, every = 5, late = 0, ahead = 0, isByReceipt = false }) =>
      Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => {
        const trueMs = T0_MS + (from + i * every) * MINUTE_MS;
        return {
          ...{ lat: 35 + m * DEGREES_PER_M, lng: -101, isByReceipt },
          ...{ fixAtMs: trueMs + ahead * MINUTE_MS, seenAtMs: trueMs + late * MINUTE_MS },
        };
      }),
    )
    .sort((a, b) => a.fixAtMs - b.fixAtMs);

interface Case {
  about: string;
  seen: Seen[];
  second?: Seen[];
  terms?: Partial<Terms>;
  /** Minutes. */
  appointment?: number;
  swap?: number;
  sites?: Site[];
  /** Whole minutes that may be billed of what is true, by hand, and those that the statements bill. */
  truth: number;
  stated: number;
  /** By hand, cents at $60 an hour; absent: a dollar a minute. */
  cents?: number;
}

/** It comes at 10, and leaves at 250. */
const came: Seen = { from: 0, to: 5, m: FAR };
const left: Seen = { from: 255, to: 300, m: FAR };
const there = (from: number, to: number, more: Partial<Seen> = {}): Seen => ({ from, to, m: 0, ...more });

/** Each is true for longer than it is stated by a minute for the tracker's clock, which runs once for each time that it is there. */
const CASES: Case[] = [
  { about: 'a usual visit', seen: [came, there(10, 250), left], truth: 240, stated: 239 },
  {
    about: 'the truck waits at the gate for an hour, within the margin',
    seen: [came, there(10, 100), { from: 105, to: 160, m: 250 }, there(165, 250), left],
    // It drove out at 101 and in at 164.
    ...{ truth: 91 + 86, stated: 89 + 84 },
  },
  {
    about: 'it leaves for an hour and comes back, which are two visits of one stop',
    seen: [came, there(10, 100), { from: 105, to: 160, m: FAR }, there(165, 250), left],
    ...{ truth: 91 + 86, stated: 89 + 84 },
  },
  {
    about: 'the tracker sleeps for an hour at the dock',
    seen: [came, there(10, 100), there(160, 250), left],
    ...{ truth: 240, stated: 239 },
  },
  {
    about: 'it is silent for an hour, and stands elsewhere in the yard after that',
    seen: [came, there(10, 100), there(160, 250, { m: 100 }), left],
    // It had driven through the street from 110 to 150.
    ...{ truth: 200, stated: 89 + 89 },
  },
  {
    about: 'its last fixes were handed over an hour later',
    seen: [came, there(10, 150), there(155, 250, { late: 60 }), left],
    ...{ truth: 240, stated: 139 },
  },
  {
    about: 'its first fixes were handed over an hour later',
    seen: [came, there(10, 60, { late: 60 }), there(65, 250), left],
    ...{ truth: 240, stated: 184 },
  },
  {
    about: 'its clock was 30 minutes ahead as it left',
    seen: [came, there(10, 200), there(205, 220, { ahead: 30 }), { ...left, from: 225, to: 300 }],
    ...{ truth: 210, stated: 189 },
  },
  {
    about: 'its clock was 30 minutes behind as it came',
    seen: [{ from: 0, to: 55, m: FAR }, there(60, 80, { ahead: -30 }), there(85, 250), left],
    // What it said to have been inside at 30, was seen at 60.
    ...{ truth: 190, stated: 164 },
  },
  {
    about: 'it was seen outside by a fix without a time of its own',
    seen: [came, there(10, 100), { from: 130, to: 130, m: FAR, isByReceipt: true }, there(165, 250), left],
    ...{ truth: 91 + 86, stated: 89 + 84 },
  },
  {
    about: 'an appointment after its arrival',
    ...{ seen: [came, there(10, 250), left], terms: { countedFrom: 'appointment' }, appointment: 100 },
    ...{ truth: 150, stated: 149 },
  },
  {
    about: 'an appointment before its arrival',
    ...{ seen: [came, there(10, 250), left], terms: { countedFrom: 'appointment' }, appointment: -100 },
    ...{ truth: 240, stated: 239 },
  },
  {
    about: 'an appointment while it was away',
    seen: [came, there(10, 100), { from: 105, to: 160, m: 250 }, there(165, 250), left],
    ...{ terms: { countedFrom: 'appointment', freeMin: 30 }, appointment: 120 },
    ...{ truth: 86 - 30, stated: 84 - 30 },
  },
  {
    about: 'free time that it used in two parts',
    seen: [came, there(10, 60), { from: 65, to: 120, m: 250 }, there(125, 250), left],
    ...{ terms: { freeMin: 60 }, truth: 51 + 126 - 60, stated: 49 + 124 - 60 },
  },
  {
    about: 'steps of a quarter of an hour, and a third of a dollar a minute',
    ...{ seen: [came, there(10, 250), left], terms: { freeMin: 120, stepMin: 15, rateCents: 1999 } },
    // 120 true minutes are 8 steps, 119 are 7: 105 minutes at $19.99 an hour are $34.9825.
    ...{ truth: 120, stated: 105, cents: 3498 },
  },
  {
    about: 'a cap',
    ...{ seen: [came, there(10, 250), left], terms: { capCents: 10_000 } },
    ...{ truth: 240, stated: 239, cents: 10_000 },
  },
  {
    about: 'the hour that the clocks show twice',
    ...{ seen: [came, there(10, 490), { ...left, from: 495, to: 540 }], truth: 480, stated: 479 },
  },
  {
    about:
      'two trucks at the dock, of which the second took the load on at 130, with free time and a cap of the stop',
    seen: [came, there(10, 250), left],
    second: [{ from: 0, to: 60, m: FAR }, there(65, 200), { ...left, from: 205 }],
    ...{ swap: 130, terms: { freeMin: 90, capCents: 6000 } },
    // 30 minutes of the first, and 70 of the second, which are $60 by the cap.
    ...{ truth: 30 + 70, stated: 30 + 69, cents: 6000 },
  },
  {
    about: 'two sites that overlap: it was in both for a while',
    seen: [came, there(10, 100), there(105, 250, { m: 450 }), left],
    sites: [siteOf(1, 0, 600), siteOf(2, 450, 200)],
    ...{ truth: 240, stated: 239 },
  },
  {
    about: 'it docks at the edge, and scatters over it',
    seen: [
      came,
      ...Array.from({ length: 24 }, (_, i) => [
        there(10 + i * 10, 10 + i * 10, { m: 195 }),
        there(15 + i * 10, 15 + i * 10, { m: 220 }),
      ]).flat(),
      left,
    ],
    ...{ truth: 240, stated: 0 },
  },
];

const toVisits = (unit: string, fixes: readonly EvidenceFix[], sites: readonly Site[]): StopVisit[] => {
  const found = new RecordedVisits(unit, sites);
  for (const { fixAtMs, lat, lng, isByReceipt } of fixes)
    if (!isByReceipt && fixAtMs > found.newestMs)
      found.add(Math.floor(fixAtMs / 1000) * 1000, Math.round(lat * 1e5), Math.round(lng * 1e5));
  found.listOpen(fixes.at(-1)!.fixAtMs + HOUR_MS);
  return found.visits.map((visit) => {
    const { shape } = sites.find(({ id }) => id === visit.siteId)!;
    return { ...visit, sure: toSureVisit(fixes, shape, visit) };
  });
};

describe('visits by hand', () => {
  it.each(CASES)('$about: no list says more than the statement, and that no more than is true', (each) => {
    const { seen, second, swap, appointment: atMin, truth, stated, sites = [siteOf(1, 0)] } = each;
    const terms: Terms = {
      ...{ freeMin: 0, countedFrom: 'arrival', rateCents: 6000, stepMin: 1, capCents: null },
      ...each.terms,
    };
    const fromMs = T0_MS + (atMin ?? 0) * MINUTE_MS;
    const appointment = atMin === undefined ? null : { fromMs, toMs: fromMs + HOUR_MS };
    const trucks = [seen, second ?? []].flatMap((of, i) => {
      const fixes = toFixes(of);
      return fixes.length === 0 ? [] : { unit: 'AB'[i]!, fixes, visits: toVisits('AB'[i]!, fixes, sites) };
    });
    const swapMs = swap === undefined ? null : T0_MS + swap * MINUTE_MS;
    const assigned: Assignment[] = [
      { unit: 'A', fromMs: T0_MS, toMs: swapMs },
      ...(swapMs === null ? [] : [{ unit: 'B', fromMs: swapMs, toMs: null }]),
    ];
    const stop = { siteId: 1, kind: 'pickup' as const, appointment };
    const [judged] = judgeLoad(
      { id: 1, stops: [stop], trucks: assigned, endedMs: null },
      trucks.flatMap(({ visits }) => visits),
    ).stops;
    let [minutes, cents] = [0, 0];
    const parts = partsOf(judged!);
    for (const [i, part] of parts.entries()) {
      const sureEarlier = parts.slice(0, i).flatMap(({ sure }) => sure ?? []);
      const earlier = toEarlier(sureEarlier, terms, appointment);
      const { fixes, visits } = trucks.find(({ unit }) => unit === part.unit)!;
      const { arrivedAfterMs, arrivedMs, leftMs, leftByMs } = part;
      const { billing, arrival, departure } = toEvidence({
        ...{ fixes, site: sites[0]!, coverage: [], terms, appointment, earlier },
        stay: { arrivedAfterMs, arrivedMs, leftMs: leftMs!, leftByMs },
        visits: visits.filter((of) => of.siteId === 1 && of.arrivedMs <= leftMs! && of.leftMs! >= arrivedMs),
      })!;
      const listed = toBilling(part.sure!, { arrival, departure }, terms, appointment, earlier);
      expect(listed).toEqual(billing);
      minutes += billing.billableMin;
      cents += billing.amountCents;
    }
    expect(minutes).toBe(stated);
    expect(minutes).toBeLessThanOrEqual(truth);
    expect(cents).toBe(each.cents ?? stated * 100);
    const overMin = overFreeMs({ free: terms, appointment }, judged!.visit, T0_MS)! / MINUTE_MS;
    expect(overMin).toBeLessThanOrEqual(truth);
  });
});
