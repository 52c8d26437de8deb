import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import type { FleetRows } from '@/lib/wire/fleet';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf } from '@/testing/live/tracked-units';
import { IS_LONG } from '@/testing/long';
import { siteOf } from '@/testing/sites/watched-units';
import { toPollStep } from '@/lib/rules/poll-step';
import type { SiteVisit } from '@/lib/rules/site';
import { SiteTracker } from '@/lib/rules/site-tracker';
import { suggestSites } from './suggest-sites';
import { MINUTE_MS } from '@/lib/base/time';

const traces = process.env.LINEHAUL_TRACES;
const USDOT = '9000001';
const POLL_MS = IS_LONG ? 20_000 : 60_000;
const RADIUS_M = 150;
const MARGIN_M = 75;

/** The five places where most trips of that day end, with at least so many ends within the circle. */
const TERMINALS = [
  { name: 'San Jacinto Boulevard, university', lat: 30.28521, lng: -97.73297, tripEnds: 160 },
  { name: 'Tech Ridge', lat: 30.41829, lng: -97.66853, tripEnds: 60 },
  { name: 'North Lamar', lat: 30.35011, lng: -97.71201, tripEnds: 50 },
  { name: 'Westgate', lat: 30.22914, lng: -97.80037, tripEnds: 50 },
  { name: 'Riverside', lat: 30.23604, lng: -97.70486, tripEnds: 40 },
];
type Terminal = (typeof TERMINALS)[number];

interface BusFix {
  bus: string;
  trip: string;
  fixMs: number;
  lat: number;
  lng: number;
  /** The poll that showed it, and the position error that the map gave it then, m. */
  seenMs: number;
  coarseM: number;
}

const held = setUpRecording();

/** The fixes in order of time, with positions as the map has them: five decimals. */
const readFixes = (folder: string): BusFix[] => {
  const text = readFileSync(join(folder, 'austin-buses-2017-03-21.csv'));
  const toDegrees = (decimal: string): number => Math.round(Number(decimal) * 1e5) / 1e5;
  return (parse(text, { columns: true }) as Record<string, string>[])
    .map((row) => ({
      bus: row.vehicle_id!,
      trip: row.trip_id!,
      fixMs: Date.parse(row.timestamp!),
      lat: toDegrees(row.latitude!),
      lng: toDegrees(row.longitude!),
      seenMs: 0,
      coarseM: 0,
    }))
    .filter(({ lat, lng }) => lat !== 0 || lng !== 0)
    .sort((a, b) => a.fixMs - b.fixMs);
};

/** Meters by the law of cosines on the sphere. */
const apartM = (a: { lat: number; lng: number }, b: { lat: number; lng: number }): number => {
  const [latA, latB, dLng] = [a.lat, b.lat, b.lng - a.lng].map((degrees) => (degrees * Math.PI) / 180);
  const cosine = Math.sin(latA!) * Math.sin(latB!) + Math.cos(latA!) * Math.cos(latB!) * Math.cos(dLng!);
  return 6_371_008.8 * Math.acos(Math.min(1, cosine));
};

const groupByBus = (fixes: readonly BusFix[]): Map<string, BusFix[]> => {
  const buses = new Map<string, BusFix[]>();
  for (const fix of fixes) buses.set(fix.bus, [...(buses.get(fix.bus) ?? []), fix]);
  return buses;
};

const countTripEnds = (fixes: readonly BusFix[], terminal: Terminal): number =>
  [...groupByBus(fixes).values()]
    .flatMap((all) => all.filter(({ trip }, i) => all[i + 1]?.trip !== trip))
    .filter((end) => apartM(end, terminal) < RADIUS_M).length;

/** When one bus arrived at a terminal and left it, by the rule of docs/history.md over all of its fixes at once. */
const findVisits = (all: readonly BusFix[], terminal: Terminal, endMs: number): (number | null)[][] => {
  const toOutsideM = (fix: BusFix): number => apartM(fix, terminal) - RADIUS_M;
  // What is coarser than its distance from the edge is no evidence.
  const fixes = all.filter((fix) => fix.coarseM <= Math.abs(toOutsideM(fix)));
  const outsideM = fixes.map(toOutsideM);
  const isInside = (i: number): boolean => outsideM[i]! <= 0;
  const isBeyond = (i: number): boolean => outsideM[i]! > MARGIN_M;
  const sinceMs = (from: number, to: number): number => fixes[to]!.fixMs - fixes[from]!.fixMs;
  const pauseMs = (i: number): number => (fixes[i + 1]?.seenMs ?? endMs + 1) - fixes[i]!.seenMs;
  /** The next fix of which something is true; the number of fixes if there is none. */
  const findFrom = (from: number, isWanted: (i: number) => boolean): number => {
    let i = from;
    while (i < fixes.length && !isWanted(i)) i++;
    return i;
  };
  /** The first of the fixes beyond the margin, one after the other, of which this is one. */
  const toBeyondFrom = (i: number): number => (isBeyond(i - 1) ? toBeyondFrom(i - 1) : i);
  const hasLeft = (i: number): boolean =>
    isBeyond(i) && (outsideM[i]! > 1000 || sinceMs(toBeyondFrom(i), i) >= MINUTE_MS);

  const visits: (number | null)[][] = [];
  let first = findFrom(0, isInside);
  while (first < fixes.length) {
    const begin = first;
    const passed = findFrom(begin, isBeyond);
    const counted = findFrom(
      begin,
      (i) => isInside(i) && (sinceMs(begin, i) >= MINUTE_MS || pauseMs(i) > 5 * MINUTE_MS),
    );
    const left = counted < passed ? findFrom(counted + 1, hasLeft) : passed;
    const beyond = left < fixes.length ? toBeyondFrom(left) : null;
    const end = beyond === null ? [null, null] : [fixes[beyond - 1]!.fixMs, fixes[beyond]!.fixMs];
    if (counted < passed) visits.push([fixes[begin]!.fixMs, ...end]);
    first = findFrom(left, isInside);
  }
  return visits;
};

/** Polls the day, and records it: which fixes the polls showed, and the visits that they found. */
const replay = async (fixes: readonly BusFix[]) => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  const siteTracker = new SiteTracker();
  const sites = TERMINALS.map(({ name, lat, lng }, i) =>
    siteOf(i + 1, 0, { name, marginM: MARGIN_M, shape: { type: 'circle', lat, lng, radiusM: RADIUS_M } }),
  );
  siteTracker.configure(sites);
  const units = new Map<string, TrackedUnit>();
  const shown: BusFix[] = [];
  const visits = new Map<string, SiteVisit>();
  let before: FleetRows | null = null;
  let next = 0;
  let seenMs = fixes[0]!.fixMs;
  const endMs = fixes.at(-1)!.fixMs + 10 * MINUTE_MS;
  while (seenMs < endMs) {
    seenMs += POLL_MS;
    const due = new Map<string, BusFix>();
    for (; next < fixes.length && fixes[next]!.fixMs <= seenMs; next++)
      due.set(fixes[next]!.bus, { ...fixes[next]!, seenMs });
    for (const [bus, { lat, lng, fixMs }] of due)
      units.set(bus, {
        identity: identityOf(bus),
        position: { lat, lng },
        fixAtMs: fixMs,
        otherAtMs: null,
        flags: [],
      });
    tracker.observe([...units.values()], null, seenMs);
    const rows = tracker.copyRows();
    rows.identities.forEach((unit, row) => {
      const fix = due.get(unit?.key ?? '');
      if (fix) shown.push({ ...fix, coarseM: rows.columns.coarseM[row]! });
    });
    for (const { visit } of siteTracker.observe(toPollStep(before, rows, seenMs)))
      visits.set(`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit);
    before = rows;
    await held.write({ usdot: USDOT, seenMs, changes: tracker.takeChanges(rows) });
  }
  return { seenMs, shown, visits: [...visits.values()] };
};

test.skipIf(!traces)(
  'buses arrive at five terminals in Austin and leave them as the rule says, and all five are suggested as sites',
  async () => {
    const fixes = readFixes(traces!);
    const { seenMs, shown, visits } = await replay(fixes);
    const buses = [...groupByBus(shown)];
    for (const [i, terminal] of TERMINALS.entries()) {
      expect(countTripEnds(fixes, terminal), terminal.name).toBeGreaterThanOrEqual(terminal.tripEnds);
      const expected = buses.flatMap(([bus, all]) =>
        findVisits(all, terminal, seenMs).map((visit) => [bus, ...visit].join(' ')),
      );
      const found = visits
        .filter(({ siteId }) => siteId === i + 1)
        .map(({ unit, arrivedMs, leftMs, leftByMs }) => [unit, arrivedMs, leftMs, leftByMs].join(' '));
      expect(found.sort(), terminal.name).toEqual(expected.sort());
      expect(expected.length, terminal.name).toBeGreaterThan(40);
    }

    const { places } = await suggestSites(held.reader, USDOT, [], seenMs);
    for (const terminal of TERMINALS)
      expect(
        places.some((place) => apartM(place, terminal) < RADIUS_M),
        terminal.name,
      ).toBe(true);
  },
  600_000,
);
