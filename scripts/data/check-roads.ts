import { readFileSync } from 'node:fs';
import { INTERSTATES } from '@/lib/roads/interstates';
import { parseFreeways } from './roads/freeways';
import { measureRoads, type Offset } from './roads/measure-roads';

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
