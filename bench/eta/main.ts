/**
 * `npm run bench:eta`: how often windows of arrival held on days that were not learned from, and how wide they were, beside
 * two baselines: for each recording in LINEHAUL_TRACES, and for some days of the demo. Ends with 1 where a target is missed.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Arrivals } from '@/lib/arrivals/arrivals';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { findHeader } from '@/lib/table-files/table';
import { parseCsv } from '@/lib/table-files/csv';
import { parseRecording } from '@/service/command/replay/recording';
import { atLeast, publishReport, toMarkdown, toSection, type Figure, type Section } from '../support/report';
import { median } from '../support/statistics';
import { evaluate, type LeadResult, type Method } from './evaluate';
import { measurePolls } from './load-poll';
import { makeDemo, readBuses, readTrucks, type EtaRecording } from './journeys';

const [LEAST_HELD, MOST_HELD] = [78, 82];
/** With fewer arrivals the share is known to no better than five percentage points. */
const FEWEST_JUDGED = 250;
const LEAST_MATCHED_PER_S = 10_000;

/** The column of a file by its name, of the rows that have a position. */
const readColumns = (text: string, names: readonly string[]): string[][] => {
  const { columns, rows } = findHeader(parseCsv(text), (found) =>
    names.every((name) => found.includes(name)),
  );
  return rows.map(({ cells }) => names.map((name) => cells[columns.indexOf(name)] ?? ''));
};

const readRecording = (file: string, text: string): EtaRecording => {
  const fixes = parseRecording(text).fixes.filter(({ lat, lng }) => lat !== 0 || lng !== 0);
  const rows = fixes.map(({ deviceId, lat, lng, fixAtMs, line }) => ({
    unit: deviceId,
    lat,
    lng,
    fixAtMs,
    line,
  }));
  if (!text.slice(0, 500).includes('trip_headsign')) return readTrucks(file, rows);
  const trips = readColumns(text, ['trip_id', 'trip_headsign']);
  return readBuses(
    file,
    rows.map((row) => ({ ...row, trip: trips[row.line - 2]![0]!, headsign: trips[row.line - 2]![1]! })),
  );
};

const toPercent = ({ held, shown }: LeadResult): number => (100 * held) / shown;
const toLead = (leadMs: number): string =>
  leadMs < HOUR_MS ? `${leadMs / MINUTE_MS} min` : `${leadMs / HOUR_MS} h`;
const toMinutes = (result: LeadResult | undefined): string =>
  result ? median(result.widthsMin).toFixed(1) : '';

const toFigures = (ours: readonly LeadResult[], baselines: readonly LeadResult[][]): Figure[] =>
  ours.flatMap((result): Figure[] => {
    const { leadMs, shown } = result;
    const isJudged = shown >= FEWEST_JUDGED;
    const error = 100 * Math.sqrt(0.16 / shown);
    const width = median(result.widthsMin);
    const others = baselines.map((results) => results.find((other) => other.leadMs === leadMs));
    return [
      {
        what: `${toLead(leadMs)} before: windows that held`,
        measured: `${toPercent(result).toFixed(1)} % of ${shown}`,
        target: isJudged ? `${LEAST_HELD} to ${MOST_HELD} %` : '',
        isMet: isJudged ? toPercent(result) >= LEAST_HELD && toPercent(result) <= MOST_HELD : null,
      },
      {
        what: `${toLead(leadMs)} before: median width`,
        measured: `${width.toFixed(1)} min (interstates ${toMinutes(others[0])}, straight line ${toMinutes(others[1])})`,
        target: isJudged ? 'below both' : '',
        isMet: isJudged ? others.every((other) => !other || width < median(other.widthsMin)) : null,
      },
      {
        what: `${toLead(leadMs)} before: found by`,
        measured: `${[...result.by].map(([by, count]) => `${by} ${count}`).join(', ')}; chance alone moves the share by ${error.toFixed(1)} points`,
        target: '',
        isMet: null,
      },
    ];
  });

const toEtaSection = (recording: EtaRecording): Section => {
  const [ours, ...baselines] = (['linehaul', 'interstates', 'line'] satisfies Method[]).map((method) =>
    evaluate(recording, method),
  );
  const ratios = ours!.flatMap(({ distanceRatios }) => distanceRatios);
  const offPercent = 100 * Math.abs(median(ratios) - 1);
  const heldOut = recording.journeys.filter(({ isHeldOut }) => isHeldOut).length;
  return toSection(
    recording.name,
    [
      ...toFigures(ours!, baselines),
      {
        what: 'distance that was expected, against what was driven (median)',
        measured: `${offPercent.toFixed(1)} % off, of ${ratios.length}`,
        target: ratios.length >= FEWEST_JUDGED ? 'at most 5 %' : '',
        isMet: ratios.length >= FEWEST_JUDGED ? offPercent <= 5 : null,
      },
    ],
    [`${recording.journeys.length} arrivals; ${heldOut} of them held out: ${recording.heldOut}.`],
  );
};

/** How many fixes of a recording one core learns from and matches in a second. */
const measureMatching = ({ learned }: EtaRecording): Figure[] => {
  const arrivals = new Arrivals();
  const fixes = learned.reduce((sum, trail) => sum + trail.length, 0);
  const perSecond = (work: () => void): number => {
    const fromMs = performance.now();
    work();
    return (fixes / (performance.now() - fromMs)) * 1000;
  };
  const learnedPerS = perSecond(() => learned.forEach((trail) => arrivals.learn(trail)));
  const matchedPerS = perSecond(() =>
    learned.forEach((trail) => trail.forEach((fix) => arrivals.roads.match(fix))),
  );
  return [
    atLeast('fixes that become roads, a second', learnedPerS, LEAST_MATCHED_PER_S, '', 0),
    atLeast('fixes matched to a road, a second', matchedPerS, LEAST_MATCHED_PER_S, '', 0),
  ];
};

const folder = process.env.LINEHAUL_TRACES;
if (!folder) console.log('LINEHAUL_TRACES names no folder of recordings: the demo alone.\n');
const files = folder ? readdirSync(folder).filter((file) => file.endsWith('.csv')) : [];
const recordings = files.map((file) => readRecording(file, readFileSync(join(folder!, file), 'utf8')));
const demo = makeDemo({ units: 120, days: 12 });
const sections = [...recordings, demo].map(toEtaSection);
sections.push(toSection('Matching, on one core', measureMatching(demo)), measurePolls(demo));
const about =
  'A window is shown at each lead time before an arrival, from the newest fix at that time, and is to hold 8 of 10 ' +
  'arrivals. Roads and ways are learned from the part that is not held out; grades go on, as they do in a fleet. The ' +
  'baselines find the way by the interstates or by a straight line, and are corrected by their grades in the same way.';
publishReport('eta', toMarkdown('Windows of arrival', about, sections, Date.now()), {
  isKept: folder !== undefined,
});
if (sections.some(({ rows }) => rows.some((cells) => cells.includes('**missed**')))) process.exitCode = 1;
