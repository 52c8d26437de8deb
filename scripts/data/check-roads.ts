import { readFileSync } from 'node:fs';
import { INTERSTATES, type Interstate } from '@/lib/roads/interstates';
import { createStretchIndex, parseFreeways, type Sighting, type Stretch } from './roads/stretch-index';

/** The distance of one waypoint, or of the worst inner point of a chord, from the survey. */
interface Offset extends Sighting {
  label: string;
}

interface RoadReport {
  /** Shares of 1: waypoints within 3 km of a straight line of the survey, and those or within its bends. */
  waypointsNear: number;
  waypointsPlausible: number;
  /** Share of chords between waypoints whose inner points are all within 15 km. */
  chordsNear: number;
  worstWaypoints: Offset[];
  worstChords: Offset[];
}

const WAYPOINT_NEAR_KM = 3;
const CHORD_NEAR_KM = 15;
const CHORD_FRACTIONS = [0.25, 0.5, 0.75];

const worstFirst = (a: Offset, b: Offset) => b.offKm - a.offKm;
const shareOf = (offsets: readonly Offset[], holds: (offset: Offset) => boolean) =>
  offsets.filter(holds).length / offsets.length;

/** Measures every waypoint, and three points of every chord, against surveyed freeways. */
const measureRoads = (interstates: readonly Interstate[], stretches: readonly Stretch[]): RoadReport => {
  const locate = createStretchIndex(stretches);
  const waypoints: Offset[] = [];
  const chords: Offset[] = [];
  for (const { name, waypoints: chain } of interstates) {
    for (const [index, [lat, lng, place]] of chain.entries()) {
      const label = `${name} ${lat}, ${lng} ${place ?? ''}`.trimEnd();
      waypoints.push({ label, ...locate(lat, lng) });
      const next = chain[index + 1];
      if (!next) continue;
      const [nextLat, nextLng] = next;
      const inner = CHORD_FRACTIONS.map((t) => locate(lat + (nextLat - lat) * t, lng + (nextLng - lng) * t));
      chords.push({
        label: `${label} to ${nextLat}, ${nextLng}`,
        offKm: Math.max(...inner.map(({ offKm }) => offKm)),
        withinBends: inner.every(({ withinBends }) => withinBends),
      });
    }
  }
  const near = ({ offKm }: Offset) => offKm <= WAYPOINT_NEAR_KM;
  return {
    waypointsNear: shareOf(waypoints, near),
    waypointsPlausible: shareOf(waypoints, (offset) => near(offset) || offset.withinBends),
    chordsNear: shareOf(chords, ({ offKm }) => offKm <= CHORD_NEAR_KM),
    worstWaypoints: waypoints.sort(worstFirst),
    worstChords: chords.sort(worstFirst),
  };
};

const WORST_SHOWN = 60;
/** Least shares that pass. Roads younger than the survey (I-22, most of I-49 and of Indiana's I-69) are not in it. */
const REQUIRED = { waypointsNear: 0.85, waypointsPlausible: 0.93, chordsNear: 0.98 };

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const printWorst = (title: string, offsets: readonly Offset[]): void => {
  console.log(`\n${title}, km off, worst first (~: a bend of the survey may reach it)`);
  for (const { label, offKm, withinBends } of offsets.slice(0, WORST_SHOWN)) {
    console.log(`${offKm.toFixed(1).padStart(8)}${withinBends ? ' ~' : '  '} ${label}`);
  }
};

/** Prints how far the table of interstates lies from surveyed freeways; exits with 1 when a share is too low. */
const checkRoads = (path: string): void => {
  const report = measureRoads(INTERSTATES, parseFreeways(readFileSync(path, 'utf8')));
  const waypoints = INTERSTATES.reduce((sum, road) => sum + road.waypoints.length, 0);
  console.log(`${INTERSTATES.length} interstates, ${waypoints} waypoints`);
  console.log(`waypoints within 3 km of a line of the survey: ${percent(report.waypointsNear)}`);
  console.log(`... or within reach of its bends: ${percent(report.waypointsPlausible)}`);
  console.log(`chords within 15 km: ${percent(report.chordsNear)}`);
  printWorst('Waypoints', report.worstWaypoints);
  printWorst('Chords', report.worstChords);
  const { waypointsNear, waypointsPlausible, chordsNear } = REQUIRED;
  const passes =
    report.waypointsNear > waypointsNear &&
    report.waypointsPlausible > waypointsPlausible &&
    report.chordsNear > chordsNear;
  if (!passes) process.exitCode = 1;
};

const [path] = process.argv.slice(2);
if (path) {
  checkRoads(path);
} else {
  console.error('Got no path when expected: check-roads.ts PATH_TO_FREEWAY_GRAPH_JSON');
  process.exitCode = 2;
}
