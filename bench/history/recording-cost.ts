import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { UNNAMED } from '@/lib/wire/fleet';
import { atMost, toSection, type Section } from '../support/report';
import { median } from '../support/statistics';
import { HighwayFleet } from './highway-fleet';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9000003';
const POLL_S = 60;
const POLLS_AN_HOUR = 60;
/** Ticks of the processor times in /proc, on every Linux that Node.js runs on. */
const MS_A_TICK = 10;

/** Processor time of all processes of PostgreSQL, ms; its own background processes included. */
const readPostgresMs = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  return rows.reduce((sum, { pid }) => {
    // The fields after the name of the program, which is in parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
  }, 0);
};

const toCpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** What each poll of a large fleet costs more because it is recorded, processor time in ms; the first is that of an hour. */
const pollFleet = async (pool: Pool, units: number, polls: number, hourMs: number): Promise<number[]> => {
  const history = new HistoryRepository(pool);
  const fleet = new HighwayFleet(units, 3, hourMs - 10 * 60_000);
  const [recorded, plain] = [true, false].map(
    (isRecorded) => new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded }, USDOT),
  ) as [FleetTracker, FleetTracker];
  const newest = new Map<string, TrackedUnit>();
  const costsMs: number[] = [];
  for (const fixes of fleet.polls(hourMs + polls * POLL_S * 1000)) {
    const seenMs = fixes[0]?.seenMs;
    if (seenMs === undefined) continue;
    for (const { unit, latE5, lngE5, fixMs } of fixes) {
      const position = { lat: latE5 / 1e5, lng: lngE5 / 1e5 };
      const identity = newest.get(unit)?.identity ?? { ...UNNAMED, key: unit, vin: unit };
      newest.set(unit, { identity, position, fixAtMs: fixMs, otherAtMs: null, flags: [] });
    }
    const answer = [...newest.values()];
    const toObserveMs = (tracker: FleetTracker): number => {
      const since = process.cpuUsage();
      tracker.observe(answer, null, seenMs);
      return toCpuMs(since);
    };
    const plainMs = toObserveMs(plain);
    const observedMs = toObserveMs(recorded);
    const postgresMs = await readPostgresMs(pool);
    const since = process.cpuUsage();
    const changes = recorded.takeChanges(recorded.copyRows());
    await history.write({ usdot: USDOT, seenMs, changes, coverage: [], statusCounts: null });
    const writtenMs = toCpuMs(since) + (await readPostgresMs(pool)) - postgresMs;
    // Those before the hour make the fleet known.
    if (seenMs >= hourMs) costsMs.push(Math.max(0, observedMs - plainMs) + writtenMs);
  }
  return costsMs;
};

/** What recording costs at a poll each minute, PostgreSQL included. */
export const measureRecording = async (pool: Pool, units: number, polls: number): Promise<Section> => {
  const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const [firstMs, ...othersMs] = await pollFleet(pool, units, polls, hourMs);
  const meanMs = (firstMs! + (POLLS_AN_HOUR - 1) * median(othersMs)) / POLLS_AN_HOUR;
  return toSection(`Recording, ${units.toLocaleString('en-US')} units, a poll each ${POLL_S} s`, [
    atMost('processor time, of one core', (meanMs / (POLL_S * 1000)) * 100, 15, '%'),
    { what: '… of a poll, median', measured: `${median(othersMs).toFixed(0)} ms`, target: '', isMet: null },
    {
      what: '… of the first poll of an hour, which stores all rows',
      measured: `${firstMs!.toFixed(0)} ms`,
      target: '',
      isMet: null,
    },
  ]);
};
