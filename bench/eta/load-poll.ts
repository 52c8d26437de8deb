import { Arrivals } from '@/lib/arrivals/arrivals';
import { UNKNOWN_HOURS } from '@/lib/arrivals/duty';
import type { EtaRecording } from './journeys';
import { LoadWatch, type WatchedLoad } from '@/lib/rules/load-watch';
import { STATUSES } from '@/lib/motion/status';
import type { FleetRows } from '@/lib/wire/fleet';
import { toPollStep } from '@/lib/rules/poll-step';
import { createTestFleet } from '@/testing/view/fleet';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { atMost, toSection, type Section } from '../support/report';
import { percentile } from '../support/statistics';

const LOADS = 10_000;
const POLL_MS = 30 * SECOND_MS;
const POLLS = 120;

const readMemoryMb = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

/** The first ones estimate all loads, as many as there is time for in each. */
const START_POLLS = 20;

/**
 * A poll with 10,000 loads under way of as many trucks, by what a fleet has learned from the demo: its trucks drive along
 * the demo's trails, two in three of them, and each poll shows a newer fix of those.
 */
export const measurePolls = ({ learned, journeys }: EtaRecording): Section => {
  const arrivals = new Arrivals();
  for (const fixes of learned) arrivals.learn(fixes);
  const siteIds = new Map([...new Set(journeys.map(({ to }) => to.key))].map((key, i) => [key, i + 1]));
  const toSiteId = (key: string): number => siteIds.get(key)!;
  for (const { to, fixes } of journeys) arrivals.learnArrival(String(toSiteId(to.key)), fixes);
  const packed = arrivals.pack();
  const startMs = Date.UTC(2026, 5, 20);
  const chosen = journeys.filter(({ fixes }) => fixes.length > POLLS / 4 + 2);
  const loads = Array.from({ length: LOADS }, (_, i): WatchedLoad => {
    const { to } = chosen[i % chosen.length]!;
    return {
      id: i + 1,
      // To one stop in three no truck came before.
      stops: [
        { siteId: toSiteId(to.key) + (i % 3 === 1 ? 100_000 : 0), kind: 'delivery', appointment: null },
      ],
      places: [to],
      trucks: [{ unit: `UNIT ${i}`, fromMs: startMs - MINUTE_MS, toMs: null }],
      ...{ endedMs: null, visits: [], shown: [], known: null },
    };
  });
  const beforeMb = readMemoryMb();
  const watch = new LoadWatch();
  watch.configure(loads);
  const readMs = performance.now();
  const { units } = watch.lacks()!;
  const hours = new Map(units.map((unit) => [unit, UNKNOWN_HOURS]));
  watch.learn({ learned: { throughMs: startMs, packed }, grades: [], hours }, { units });
  const learnedMs = performance.now() - readMs;
  const fleet = createTestFleet(loads.map((_, i) => ({ key: `UNIT ${i}` })));
  // Little garbage of its own: a feed's rows are arrays, too.
  const rowsAt = (poll: number): FleetRows => {
    const { latE5, lngE5, fixAtS, status } = fleet.columns;
    const columns = { ...fleet.columns, latE5: latE5.slice(), lngE5: lngE5.slice(), fixAtS: fixAtS.slice() };
    for (let i = 0; i < LOADS; i += 1) {
      const { fixes } = chosen[i % chosen.length]!;
      const isStanding = i % 3 === 0;
      // Two minutes lie between fixes of the demo.
      const step = isStanding ? 0 : Math.floor((poll + (i % 4)) / 4);
      const { lat, lng } = fixes[step]!;
      columns.latE5[i] = Math.round(lat * 1e5);
      columns.lngE5[i] = Math.round(lng * 1e5);
      columns.fixAtS[i] = (startMs + (step * 4 + 3 - (i % 4)) * POLL_MS) / 1000;
      status[i] = STATUSES.indexOf(isStanding ? 'stopped' : 'moving');
    }
    return { ...fleet, columns };
  };
  let before: FleetRows | null = null;
  const tookMs: number[] = [];
  let [windows, written] = [0, 0];
  for (let poll = 0; poll < POLLS; poll += 1) {
    const rows = rowsAt(poll);
    const step = toPollStep(before, rows, startMs + (poll + 4) * POLL_MS, []);
    before = rows;
    const fromMs = performance.now();
    const changes = watch.observe(step, []);
    tookMs.push(performance.now() - fromMs);
    written += changes.length;
    windows += changes.filter(({ window }) => window !== null).length;
  }
  const memoryMb = readMemoryMb() - beforeMb;
  const steady = tookMs.slice(START_POLLS);
  return toSection(
    `A poll with ${LOADS.toLocaleString('en-US')} loads under way`,
    [
      atMost('one poll, p99', percentile(steady, 0.99), 50, 'ms'),
      {
        what: 'one poll, median',
        measured: `${percentile(steady, 0.5).toFixed(1)} ms`,
        target: '',
        isMet: null,
      },
      atMost(
        'one of the first polls, which estimate all loads',
        Math.max(...tookMs.slice(0, START_POLLS)),
        50,
        'ms',
      ),
      { what: 'taking what was learned', measured: `${learnedMs.toFixed(1)} ms`, target: '', isMet: null },
      { what: 'memory', measured: `${memoryMb.toFixed(0)} MB`, target: '', isMet: null },
    ],
    [
      `${arrivals.roads.size} steps of roads, ${(packed.byteLength / 2 ** 20).toFixed(1)} MB packed; ${POLLS} polls, in which ${written} changes were reported, ${windows} of them with a window.`,
      'What limits it: a poll looks at loads for 10 ms and estimates for 10 ms; it searches at most 15,000 cells of roads, as many as one search may, and begins no search once it has taken 22 ms. What is left waits for the next poll. A load whose truck has no newer fix is looked at when its verdict may change, and once in ten minutes at this size; of windows that only moved, some hundreds are reported in each poll.',
    ],
  );
};
