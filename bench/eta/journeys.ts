import { INTERSTATES } from '@/lib/roads/interstates';
import { createRoadNetwork } from '@/lib/roads/network';
import { distanceM } from '@/lib/geo/geodesy';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { getOrMake } from '@/lib/base/maps';
import type { Destination } from '@/lib/arrivals/find-way';
import type { RoadFix } from '@/lib/arrivals/drives';
import type { LatLng } from '@/lib/geo/units';
import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { median } from '../support/statistics';

/** The drive of one vehicle to one stop. */
export interface Journey {
  unit: string;
  to: Destination;
  /** From its last other stop to the first fix at the stop. */
  fixes: readonly RoadFix[];
  arrivedMs: number;
  /** What was recorded before, for the hours that its driver has driven. */
  before: readonly RoadFix[];
  isHeldOut: boolean;
}

export interface EtaRecording {
  name: string;
  heldOut: string;
  /** All fixes of the vehicles that are learned from, in the order of time, by vehicle. */
  learned: readonly (readonly RoadFix[])[];
  journeys: readonly Journey[];
}

/** A vehicle has arrived with its first fix so near. */
const AT_STOP_M = 250;

/** How a recording is divided: by its last third of days; a recording of one day by vehicles. */
const divide = (
  fixes: Iterable<RoadFix & { unit: string }>,
): { text: string; isHeldOut: (unit: string, atMs: number) => boolean } => {
  const days = new Set<number>();
  const units = new Set<string>();
  for (const { fixAtMs, unit } of fixes) {
    days.add(Math.floor(fixAtMs / DAY_MS));
    units.add(unit);
  }
  const sorted = [...days].sort((a, b) => a - b);
  if (sorted.length > 2) {
    const first = sorted[Math.ceil((sorted.length * 2) / 3)]!;
    return {
      text: `the last ${sorted.length - Math.ceil((sorted.length * 2) / 3)} of ${sorted.length} days`,
      isHeldOut: (_, atMs) => atMs >= first * DAY_MS,
    };
  }
  const heldOut = new Set([...units].sort().filter((_, i) => i % 2 === 1));
  return { text: 'every second vehicle, as all is of one day', isHeldOut: (unit) => heldOut.has(unit) };
};

interface BusFix extends RoadFix {
  unit: string;
  trip: string;
  headsign: string;
}

/** A recording of buses whose rows name trip and headsign: their terminals are where trips with one headsign end. */
export const readBuses = (name: string, rows: readonly BusFix[]): EtaRecording => {
  const { text, isHeldOut } = divide(rows);
  const trips = new Map<string, BusFix[]>();
  const vehicles = new Map<string, BusFix[]>();
  for (const row of [...rows].sort((a, b) => a.fixAtMs - b.fixAtMs)) {
    getOrMake(trips, `${row.unit} ${row.trip} ${Math.floor(row.fixAtMs / DAY_MS)}`, () => []).push(row);
    getOrMake(vehicles, row.unit, () => []).push(row);
  }
  const ends = new Map<string, BusFix[]>();
  for (const fixes of trips.values()) getOrMake(ends, fixes[0]!.headsign, () => []).push(fixes.at(-1)!);
  const journeys = [...trips.values()].flatMap((fixes): Journey[] => {
    const { headsign, unit, fixAtMs } = fixes[0]!;
    const last = ends.get(headsign)!;
    const to = {
      key: headsign,
      lat: median(last.map(({ lat }) => lat)),
      lng: median(last.map(({ lng }) => lng)),
    };
    const at = fixes.findIndex((fix) => distanceM(fix, to) < AT_STOP_M);
    if (at < 1) return [];
    const arrivedMs = fixes[at]!.fixAtMs;
    return [
      { unit, to, fixes: fixes.slice(0, at + 1), arrivedMs, before: [], isHeldOut: isHeldOut(unit, fixAtMs) },
    ];
  });
  const learned = [...vehicles].map(([unit, fixes]) =>
    fixes.filter(({ fixAtMs }) => !isHeldOut(unit, fixAtMs)),
  );
  return { name, heldOut: text, learned, journeys };
};

/** Where a vehicle stood, and from which of its fixes to which. */
interface Stand extends LatLng {
  from: number;
  to: number;
}

const STAND_M = 200;

const findStands = (fixes: readonly RoadFix[], leastMs: number): Stand[] => {
  const stands: Stand[] = [];
  for (let from = 0; from < fixes.length;) {
    let to = from;
    while (to + 1 < fixes.length && distanceM(fixes[from]!, fixes[to + 1]!) < STAND_M) to += 1;
    if (fixes[to]!.fixAtMs - fixes[from]!.fixAtMs >= leastMs)
      stands.push({ from, to, lat: fixes[from]!.lat, lng: fixes[from]!.lng });
    from = to + 1;
  }
  return stands;
};

/** Drives from one stand of at least `leastMs` to the next, where the next is one of the stops. */
const toJourneys = (
  unit: string,
  fixes: readonly RoadFix[],
  stopAt: (stand: Stand) => Destination | null,
  leastMs: number,
  isHeldOut: (unit: string, atMs: number) => boolean,
): Journey[] => {
  let left = 0;
  const journeys: Journey[] = [];
  for (const stand of findStands(fixes, leastMs)) {
    const to = stopAt(stand);
    if (!to) continue;
    const at = fixes.findIndex((fix, i) => i > left && distanceM(fix, to) < AT_STOP_M * 2);
    if (left > 0 && at > left + 1) {
      const { fixAtMs: arrivedMs } = fixes[at]!;
      journeys.push({
        unit,
        to,
        fixes: fixes.slice(left, at + 1),
        arrivedMs,
        before: fixes.slice(0, left),
        isHeldOut: isHeldOut(unit, fixes[left]!.fixAtMs),
      });
    }
    left = stand.to;
  }
  return journeys;
};

/** A recording without trips: its stops are where vehicles stood for 20 minutes or more, and came to more than once. */
export const readTrucks = (name: string, rows: readonly (RoadFix & { unit: string })[]): EtaRecording => {
  const { text, isHeldOut } = divide(rows);
  const vehicles = new Map<string, RoadFix[]>();
  for (const row of [...rows].sort((a, b) => a.fixAtMs - b.fixAtMs))
    getOrMake(vehicles, row.unit, () => []).push(row);
  const stops: Destination[] = [];
  const stopAt = (stand: Stand): Destination => {
    const known = stops.find((stop) => distanceM(stop, stand) < 2 * AT_STOP_M);
    if (known) return known;
    const stop = { key: `stop ${stops.length + 1}`, lat: stand.lat, lng: stand.lng };
    stops.push(stop);
    return stop;
  };
  const journeys = [...vehicles].flatMap(([unit, fixes]) =>
    toJourneys(unit, fixes, stopAt, 20 * MINUTE_MS, isHeldOut),
  );
  const learned = [...vehicles].map(([unit, fixes]) =>
    fixes.filter(({ fixAtMs }) => !isHeldOut(unit, fixAtMs)),
  );
  return { name, heldOut: text, learned, journeys };
};

const DEMO_STEP_MS = 120 * SECOND_MS;

/** Some days of the demo's trucks, to the places where they load and unload. */
export const makeDemo = ({ units, days }: { units: number; days: number }): EtaRecording => {
  const fleet = createDemoFleet({ units, seed: 1956 });
  const { terminals } = createRoadNetwork(INTERSTATES);
  const fromMs = Date.UTC(2026, 5, 1);
  const trails = Array.from({ length: units }, (_, unit) => {
    const fixes: RoadFix[] = [];
    for (let atMs = fromMs; atMs < fromMs + days * DAY_MS; atMs += DEMO_STEP_MS) {
      const reportAtMs = fleet.lastReportAt(unit, atMs);
      if (reportAtMs === null) break;
      const { lat, lng, fixAtMs } = fleet.reportAt(unit, reportAtMs);
      if (lat !== 0 && fixAtMs > (fixes.at(-1)?.fixAtMs ?? 0)) fixes.push({ lat, lng, fixAtMs });
    }
    return fixes;
  });
  const firstHeldOutMs = fromMs + Math.ceil((days * 2) / 3) * DAY_MS;
  const isHeldOut = (_: string, atMs: number): boolean => atMs >= firstHeldOutMs;
  const stopAt = (stand: Stand): Destination | null => {
    const near = terminals.find((terminal) => distanceM(terminal, stand) < 1000);
    return near ? { key: near.place, lat: near.lat, lng: near.lng } : null;
  };
  return {
    name: `The demo, ${units} trucks`,
    heldOut: `the last ${days - Math.ceil((days * 2) / 3)} of ${days} days`,
    learned: trails.map((fixes) => fixes.filter(({ fixAtMs }) => !isHeldOut('', fixAtMs))),
    journeys: trails.flatMap((fixes, unit) =>
      toJourneys(String(unit), fixes, stopAt, 50 * MINUTE_MS, isHeldOut),
    ),
  };
};
