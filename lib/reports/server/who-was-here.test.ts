import { expect, it, vi } from 'vitest';
import { distanceM, interpolate, wrapLng } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import { IS_LONG } from '@/testing/long';
import { createRandom } from '@/testing/motion/fixes';
import type { Area } from '../who/area';
import type { Visit } from '../who/visits';
import { MOST_ROWS, readVisits, visitsQuerySchema } from './who-was-here';
import { MINUTE_MS, HOUR_MS } from '@/lib/base/time';

const USDOT = '1234567';
/** The begin of a day. */
const DAY = 20_625 * 24 * HOUR_MS;
const CENTER = { lat: 35.2, lng: -101.83 };
const held = setUpRecording();

type Fix = Required<Pick<RecordedFix, 'unit' | 'fixMs' | 'lat' | 'lng' | 'isLate'>>;

const toE5 = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** A unit that drives and stands about the center, reports in its own rhythm, is silent at times, jumps, and is late. */
const makeTrail = (unit: string, random: () => number, hours: number): Fix[] => {
  const everyMs = [20_000, MINUTE_MS, 5 * MINUTE_MS, 25 * MINUTE_MS][Math.floor(random() * 4)]!;
  const fixes: Fix[] = [];
  let [lat, lng] = [CENTER.lat + (random() - 0.5) / 2, CENTER.lng + (random() - 0.5) / 2];
  let [north, east, lateUntilMs] = [0, 0, 0];
  for (let fixMs = DAY + Math.floor((random() * everyMs) / 1000) * 1000; fixMs < DAY + hours * HOUR_MS;) {
    if (random() < 0.1) {
      const home = random() < 0.5;
      const stands = random() < 0.3;
      north = stands ? 0 : home ? (CENTER.lat - lat) / 20 : (random() - 0.5) / 60;
      east = stands ? 0 : home ? (CENTER.lng - lng) / 20 : (random() - 0.5) / 60;
    }
    const minutes = everyMs / MINUTE_MS;
    lat += Math.max(-0.02, Math.min(0.02, north)) * minutes + (random() - 0.5) / 1e4;
    lng += Math.max(-0.02, Math.min(0.02, east)) * minutes + (random() - 0.5) / 1e4;
    const isJump = random() < 0.02;
    if (random() < 0.03) lateUntilMs = fixMs + HOUR_MS * random();
    const at = isJump ? { lat: CENTER.lat + random() / 10, lng: CENTER.lng + random() / 10 } : { lat, lng };
    fixes.push({ unit, fixMs, lat: toE5(at.lat), lng: toE5(at.lng), isLate: isJump || fixMs < lateUntilMs });
    fixMs += random() < 0.02 ? Math.ceil(random() * 180) * MINUTE_MS : everyMs;
  }
  return fixes;
};

/** Polls each five minutes, with late fixes half an hour after their time, and some fixes repeated an hour later. */
const record = async (fixes: readonly Fix[], hours: number): Promise<void> => {
  const stepMs = 5 * MINUTE_MS;
  const polls = new Map<number, Fix[]>();
  const add = (atMs: number, fix: Fix): void => {
    const seenMs = Math.ceil(atMs / stepMs) * stepMs;
    polls.set(seenMs, [...(polls.get(seenMs) ?? []), fix]);
  };
  fixes.forEach((fix, i) => {
    add(fix.isLate ? fix.fixMs + HOUR_MS / 2 : fix.fixMs, fix);
    if (i % 50 === 0) add(fix.fixMs + HOUR_MS, fix);
  });
  for (const [seenMs, each] of [...polls].sort(([a], [b]) => a - b))
    if (seenMs < DAY + (hours + 2) * HOUR_MS)
      await held.write({ usdot: USDOT, seenMs, changes: changesOf(seenMs, each) });
};

const impliedKph = (a: Fix, b: Fix): number =>
  (Math.max(0, distanceM(a, b) - 60) / Math.abs(b.fixMs - a.fixMs)) * 3600;

/** Late fixes that nothing near in time makes possible are left out. */
const isBelievable = (fix: Fix, i: number, fixes: readonly Fix[]): boolean => {
  if (!fix.isLate) return true;
  const near = [fixes[i - 1], fixes[i + 1]].filter(
    (each) => each !== undefined && Math.abs(each.fixMs - fix.fixMs) <= 30 * MINUTE_MS,
  );
  return near.length > 0 && near.every((each) => impliedKph(each!, fix) <= 200);
};

/** Cross product of a → b and a → c. */
const turn = (a: LatLng, b: LatLng, c: LatLng): number =>
  (b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng);

const crosses = (area: Area, a: LatLng, b: LatLng): boolean => {
  if (area.kind === 'rectangle') {
    const { south, west, north, east } = area;
    const corners = [
      { lat: south, lng: west },
      { lat: south, lng: east },
      { lat: north, lng: east },
      { lat: north, lng: west },
    ];
    return corners.some((c, i) => {
      const d = corners[(i + 1) % 4]!;
      return turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
    });
  }
  let [low, high] = [0, 1];
  const apart = (t: number): number => distanceM(area, interpolate(a, b, t));
  for (let i = 0; i < 100; i++) {
    const third = (high - low) / 3;
    if (apart(low + third) < apart(high - third)) high -= third;
    else low += third;
  }
  return apart((low + high) / 2) <= area.radiusM;
};

/** How far a fix is outside, m; at most 0: inside. */
const apartOf = (area: Area, { lat, lng }: Fix): number => {
  if (area.kind === 'circle') return distanceM(area, { lat, lng }) - area.radiusM;
  const x = Math.max(area.west - lng, lng - area.east, 0) * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(x, Math.max(area.south - lat, lat - area.north, 0)) * 111_195;
};

/** I: inside, E: at most 50 m off, O: farther off. */
const letterOf = (area: Area, fix: Fix): string => {
  const apartM = apartOf(area, fix);
  return apartM <= 0 ? 'I' : apartM <= 50 ? 'E' : 'O';
};

type Compared = Visit & { unit: string };

/** The visits of a unit by a search in the letters of each part of its trail without a silence. */
/** How long fixes that begin and end inside were outside by more than 10 m in between, ms. */
const awayWithin = (area: Area, fixes: readonly Fix[]): number => {
  let [awayMs, insideMs, isAway] = [0, 0, false];
  for (const fix of fixes) {
    const apartM = apartOf(area, fix);
    if (apartM > 10) isAway = true;
    if (apartM > 0) continue;
    if (isAway) awayMs += fix.fixMs - insideMs;
    [insideMs, isAway] = [fix.fixMs, false];
  }
  return awayMs;
};

const computeVisits = (trail: readonly Fix[], area: Area, fromMs: number, toMs: number): Compared[] => {
  const fixes = trail
    .filter(({ fixMs }) => fixMs >= fromMs - 2 * HOUR_MS && fixMs < toMs + 2 * HOUR_MS)
    .filter(isBelievable);
  const parts: Fix[][] = [];
  fixes.forEach((fix, i) => {
    if (i === 0 || fix.fixMs - fixes[i - 1]!.fixMs > 30 * MINUTE_MS) parts.push([fix]);
    else parts.at(-1)!.push(fix);
  });
  const visits = parts.flatMap((part) => {
    const unit = part[0]!.unit;
    const found: Compared[] = [];
    const letters = part.map((fix) => letterOf(area, fix)).join('');
    for (const { index, 0: text } of letters.matchAll(/I(?:[IE]*I)?/g)) {
      const inside = part.slice(index, index + text.length).filter((_, i) => text[i] === 'I');
      found.push({
        unit,
        certainty: inside.every(({ isLate }) => isLate) ? 'late' : 'fixes',
        afterMs: part[index - 1]?.fixMs ?? null,
        firstMs: inside[0]!.fixMs,
        lastMs: inside.at(-1)!.fixMs,
        beforeMs: part[index + text.length]?.fixMs ?? null,
        fixes: inside.filter(({ fixMs }) => fixMs >= fromMs && fixMs < toMs).length,
        awayMs: awayWithin(area, part.slice(index, index + text.length)),
      });
    }
    const isIn = new Set<number>();
    for (const { index, 0: text } of letters.matchAll(/I[IE]*O?/g))
      for (let i = index - 1; i < index + text.length - 1; i++) isIn.add(i);
    let last: Compared | undefined;
    for (let i = 0; i + 1 < part.length; i++) {
      const [a, b] = [part[i]!, part[i + 1]!];
      if (isIn.has(i) || impliedKph(a, b) > 200 || !crosses(area, a, b)) continue;
      if (last?.beforeMs === a.fixMs) last.beforeMs = b.fixMs;
      else {
        const [afterMs, beforeMs]: [number, number] = [a.fixMs, b.fixMs];
        found.push(
          (last = {
            unit,
            certainty: 'line',
            afterMs,
            firstMs: null,
            lastMs: null,
            beforeMs,
            fixes: 0,
            awayMs: 0,
          }),
        );
      }
    }
    return found;
  });
  return visits.filter(
    ({ afterMs, firstMs, lastMs, beforeMs }) =>
      (firstMs ?? afterMs!) < toMs && (lastMs ?? beforeMs!) >= fromMs,
  );
};

const inOrder = (visits: Compared[]): Compared[] =>
  visits.sort((a, b) =>
    a.unit === b.unit ? (a.afterMs ?? a.firstMs!) - (b.afterMs ?? b.firstMs!) : a.unit < b.unit ? -1 : 1,
  );

const read = async (area: Area, fromMs: number, toMs: number): Promise<Compared[]> => {
  const { units, visits } = await readVisits(held.reader, USDOT, area, { fromMs, toMs }, DAY);
  return visits.map(({ unit, ...visit }) => ({ unit: units[unit]!.key, ...visit }));
};

it('every visit to random areas, over archived and open hours, is one of a search through all fixes', async () => {
  const hours = 12;
  const random = createRandom(17);
  const trails = Array.from({ length: 30 }, (_, unit) => makeTrail(`unit ${unit}`, random, hours));
  await record(trails.flat(), hours);
  await held.archive(DAY + 11 * HOUR_MS);
  const counts = { fixes: 0, late: 0, line: 0 };
  for (let question = 0; question < (IS_LONG ? 80 : 12); question++) {
    const at = { lat: CENTER.lat + (random() - 0.5) / 5, lng: CENTER.lng + (random() - 0.5) / 5 };
    const size = 100 * 100 ** random();
    const [high, wide] = [size / 111_195, ((0.2 + random()) * size) / 90_000];
    const area: Area =
      question % 2 === 0
        ? { kind: 'circle', ...at, radiusM: size }
        : { kind: 'rectangle', south: at.lat, west: at.lng, north: at.lat + high, east: at.lng + wide };
    const fromMs = DAY + Math.floor(random() * 6 * HOUR_MS);
    const toMs = fromMs + Math.floor((0.2 + random()) * 6 * HOUR_MS);
    const expected = trails.flatMap((trail) => computeVisits(trail, area, fromMs, toMs));
    for (const { certainty } of expected) counts[certainty]++;
    expect(inOrder(await read(area, fromMs, toMs)), `question ${question}`).toEqual(inOrder(expected));
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
});

it('a query that reads too many fixes asks for a shorter range', async () => {
  const reader = Object.assign(Object.create(held.reader), { countFixes: async () => 2 * MOST_ROWS });
  const range = { fromMs: DAY, toMs: DAY + HOUR_MS };
  await expect(
    readVisits(reader, USDOT, { kind: 'circle', ...CENTER, radiusM: 500 }, range, DAY),
  ).rejects.toMatchObject({
    code: 'range-too-long',
    detail:
      'The range has about 500 million fixes of this fleet, and at most 250 million are read at once. Choose a shorter range.',
  });
});

it('a query that takes too long asks for a shorter range', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  // Pages have classes of their own, so the class of the error says nothing.
  const readFixes = () => Promise.reject(new Error('INTERRUPT'));
  const reader = Object.assign(Object.create(held.reader), { countFixes: async () => 0, readFixes });
  const range = { fromMs: DAY, toMs: DAY + HOUR_MS };
  await expect(
    readVisits(reader, USDOT, { kind: 'circle', ...CENTER, radiusM: 500 }, range, DAY),
  ).rejects.toMatchObject({
    code: 'range-too-long',
    detail: 'The search takes too long. Choose a shorter range or a smaller area.',
  });
  timeout.mockRestore();
});

it('an area across the 180th meridian, or beside it, has the visits that it would have elsewhere', async () => {
  const random = createRandom(27);
  const trails = ['A', 'B', 'C'].map((unit) => makeTrail(unit, random, 6));
  // The meridian is in the middle of the first area, and beside the second.
  const turns = [281.83, 281.93];
  const turn = (lng: number, by: number): number => toE5(wrapLng(lng + by));
  const all = [0, ...turns].flatMap((by) =>
    trails.flat().map((fix) => ({ ...fix, unit: `${fix.unit} ${by}`, lng: turn(fix.lng, by) })),
  );
  await record(
    all.sort((a, b) => a.fixMs - b.fixMs),
    6,
  );
  const readOf = async (area: Area, by: number) => {
    const visits = await read(area, DAY, DAY + 6 * HOUR_MS);
    return visits
      .filter(({ unit }) => unit.endsWith(` ${by}`))
      .map((visit) => ({ ...visit, unit: visit.unit[0] }));
  };
  for (const by of turns) {
    const circle = { kind: 'circle', lat: CENTER.lat, radiusM: 3000 } as const;
    expect(await readOf({ ...circle, lng: turn(CENTER.lng, by) }, by)).toEqual(
      await readOf({ ...circle, lng: CENTER.lng }, 0),
    );
    const box = { kind: 'rectangle', south: 35.17, north: 35.22 } as const;
    const visits = await readOf({ ...box, west: -101.86, east: -101.8 }, 0);
    expect(visits.length).toBeGreaterThan(2);
    expect(await readOf({ ...box, west: turn(-101.86, by), east: turn(-101.8, by) }, by)).toEqual(visits);
  }
});

it('without recorded fixes there is no visit', async () => {
  const area: Area = { kind: 'circle', ...CENTER, radiusM: 500 };
  expect(await read(area, DAY, DAY + HOUR_MS)).toEqual([]);
});

it('a query has an area and a range', () => {
  const ask = (area: string) => visitsQuerySchema.safeParse({ from: '0', to: '1', area });
  expect(ask('circle:35.2,-101.83,5000').data?.area).toEqual({ kind: 'circle', ...CENTER, radiusM: 5000 });
  expect(ask('rectangle:35,179,36,-179').data?.area).toMatchObject({ west: 179, east: -179 });
  expect(ask('rectangle:35,-101,36,-102').error?.issues[0]?.message).toContain(
    'with the west left of the east',
  );
});
