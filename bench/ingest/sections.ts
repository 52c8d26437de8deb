import { availableParallelism } from 'node:os';
import { atLeast, atMost, toSection, type Figure, type Section } from '../support/report';
import { median, toSpread, type Spread } from '../support/statistics';
import type { StoreCheck } from './check-store';
import { TARGET_P99_MS, isHeld, spreadOf, toDuePerSecond, type Run } from './measure';
import type { Compared, Outcome } from './run';
import type { Scale } from './scale';

const TARGET_NOT_MODIFIED_MS = 50;

const toNumber = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });

const toText = ({ median: middle, least, most }: Spread): string =>
  `${toNumber(middle)} (${toNumber(least)}–${toNumber(most)})`;

const middleOf = (runs: readonly Run[], key: keyof Run): number => spreadOf(runs, key).median;

const LOAD_COLUMNS = [
  'load',
  'server',
  'accepted/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'most ms',
  'refused',
  'unsent',
  'sent late p99 ms',
  'machine load',
];

const toLoadRow = (load: string, server: string, runs: readonly Run[]): string[] => [
  load,
  server,
  ...(
    [
      'acceptedPerSecond',
      'p50Ms',
      'p95Ms',
      'p99Ms',
      'mostMs',
      'refused',
      'unsent',
      'sentLateP99Ms',
      'machineLoad',
    ] as const
  ).map((key) => toText(spreadOf(runs, key))),
];

const toRatio = (load: string, { service, naive }: Compared): string[] => {
  const accepted = middleOf(service, 'acceptedPerSecond') / middleOf(naive, 'acceptedPerSecond');
  const sooner = middleOf(naive, 'p99Ms') / middleOf(service, 'p99Ms');
  return [load, `${accepted.toFixed(1)} ×`, `${sooner.toFixed(1)} ×`];
};

/** The highest rate of the ladder that was held; the runs at the target rate are its first rung. */
const toHeldRate = ({ osmand, ladder }: Outcome, { osmandRate }: Scale): number =>
  [{ rate: osmandRate, runs: osmand.service }, ...ladder]
    .filter(({ rate, runs }) => isHeld(runs, rate))
    .reduce((highest, { rate }) => Math.max(highest, rate), 0);

const toTargets = (outcome: Outcome, scale: Scale): Section => {
  const { overland, osmand, whileRead, checks } = outcome;
  const p99 = (what: string, runs: readonly Run[]) =>
    atMost(`${what}: p99 of the acknowledgment`, middleOf(runs, 'p99Ms'), TARGET_P99_MS, 'ms', 0);
  const rate = (what: string, runs: readonly Run[], target: number) =>
    atLeast(`${what}: accepted`, middleOf(runs, 'acceptedPerSecond'), target, 'fixes/s', 0);
  const none = (what: string, count: number): Figure => ({
    what,
    measured: toNumber(count),
    target: 'none',
    isMet: count === 0,
  });
  const { service } = checks;
  const notModifiedMs = outcome.units.service.notModifiedMs;
  return toSection('Targets', [
    rate('Batches', overland.service, scale.overlandRate),
    p99('Batches', overland.service),
    p99('Batches while the fleet is read', whileRead.runs),
    rate('A request a fix', osmand.service, scale.osmandRate * 0.99),
    p99('A request a fix', osmand.service),
    {
      what: 'A request a fix: the highest rate held',
      measured: `${toNumber(toHeldRate(outcome, scale))} fixes/s`,
      target: `at least ${scale.osmandRate} fixes/s`,
      isMet: toHeldRate(outcome, scale) >= scale.osmandRate,
    },
    {
      what: 'GET /api/units unchanged: answered by 304',
      measured: `${notModifiedMs.length} of ${scale.reads}`,
      target: 'all',
      isMet: notModifiedMs.length === scale.reads,
    },
    atMost('304', median(notModifiedMs), TARGET_NOT_MODIFIED_MS, 'ms'),
    none('Acknowledged fixes missing from the store after kill -9', service.missing),
    none('Vehicles at an older fix than was acknowledged', service.vehiclesBehind),
    none('Vehicles not where their fix says', service.vehiclesMisplaced),
  ]);
};

const toLoads = (outcome: Outcome, scale: Scale): Section => {
  const { overland, osmand, overlandFull, osmandFull, ladder, whileRead } = outcome;
  const batches = `batches, ${toNumber(toDuePerSecond('overland', scale.overlandRate))}/s due`;
  const both = (load: string, { service, naive }: Compared) => [
    toLoadRow(load, 'service', service),
    toLoadRow(load, 'naive', naive),
  ];
  return {
    title: 'Loads',
    columns: LOAD_COLUMNS,
    rows: [
      ...both(batches, overland),
      toLoadRow(`${batches}, while the fleet is read`, 'service', whileRead.runs),
      ...both('batches, as fast as answered', overlandFull),
      ...both(`a request a fix, ${toNumber(scale.osmandRate)}/s due`, osmand),
      ...ladder.map(({ rate, runs }) =>
        toLoadRow(`a request a fix, ${toNumber(rate)}/s due`, 'service', runs),
      ),
      ...both('a request a fix, as fast as answered', osmandFull),
    ],
    notes: [
      `Median of ${scale.repetitions} runs (least–most). Where a rate is due, latency counts from the moment at ` +
        'which the request was due, sent or not; a server that falls behind shows it. A batch is of 100 vehicles, as ' +
        'a gateway forwards them, with two late fixes besides; one in 50 single requests is late too. Runs of ' +
        `${scale.overlandS} s in batches, ${scale.osmandS} s one by one (naive: ${scale.naiveS} s), after every ` +
        'vehicle has reported once. Load generator, server and PostgreSQL (fsync on) share the machine. The machine ' +
        `load is how many processes wanted a processor; beyond ${availableParallelism()}, ours waited for them.`,
      `Where the fleet is read meanwhile, it is every ${scale.readEveryMs / 1000} s: most of it has changed by then, and is ` +
        'queried, written, hashed and compressed on the processors that the batches want too.',
    ],
  };
};

const toRatios = (outcome: Outcome, scale: Scale): Section => ({
  title: 'Service against naive',
  columns: ['load', 'accepted/s', 'p99 sooner'],
  rows: [
    toRatio(`batches, ${toNumber(scale.overlandRate)}/s due`, outcome.overland),
    toRatio('batches, as fast as answered', outcome.overlandFull),
    toRatio(`a request a fix, ${toNumber(scale.osmandRate)}/s due`, outcome.osmand),
    toRatio('a request a fix, as fast as answered', outcome.osmandFull),
  ],
  notes: [
    'The naive handler validates a report and stores each fix by one statement, a transaction of its own, on a pool ' +
      'of ten connections; it is spared the check of tokens, of unknown devices and the revisions by which readers ' +
      'learn what changed.',
  ],
});

const toUnitsSection = ({ units: { service, naive }, whileRead }: Outcome): Section => ({
  title: 'GET /api/units/:usdot',
  columns: ['what', 'service ms', 'naive ms'],
  rows: [
    ['first answer', toNumber(service.firstMs), toNumber(naive.firstMs)],
    ['later answers, nothing changed', toText(toSpread(service.laterMs)), toText(toSpread(naive.laterMs))],
    ['304, nothing changed', toText(toSpread(service.notModifiedMs)), 'has none'],
    ['while batches arrive', toText(toSpread(whileRead.readMs)), ''],
  ],
  notes: [
    `${toNumber(service.units)} units, ${toNumber(service.bytes / 1e6)} MB of JSON, ` +
      `${toNumber(service.compressedBytes / 1e6)} MB by gzip. To the last byte, over loopback.`,
  ],
});

const toCheckSection = ({ checks }: Outcome): Section => {
  const toRow = (server: string, check: StoreCheck): string[] => [
    server,
    ...[check.acknowledged, check.stored, check.missing, check.vehiclesBehind, check.vehiclesMisplaced].map(
      toNumber,
    ),
  ];
  return {
    title: 'After the load',
    columns: ['server', 'fixes acknowledged', 'fixes stored', 'missing', 'vehicles behind', 'misplaced'],
    rows: [toRow('service', checks.service), toRow('naive', checks.naive)],
    notes: ['Both servers were killed by SIGKILL before the store was read.'],
  };
};

export const toSections = (outcome: Outcome, scale: Scale): Section[] => [
  toTargets(outcome, scale),
  toLoads(outcome, scale),
  toRatios(outcome, scale),
  toUnitsSection(outcome),
  toCheckSection(outcome),
];
