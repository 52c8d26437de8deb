import 'server-only';
import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Pool } from 'pg';
import { getOrMake } from '@/lib/base/maps';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { LISTED_MS } from '../load';
import { listLoads, readLoads, type LoadContext } from './loads';

/** What polls found is read for a twentieth of the time at most, however many browsers show the loads. */
const READ_SHARE = 1 / 20;
/** All loads are read so often: a removed site or a renamed truck is no change of a load. */
const READ_ALL_EVERY_MS = 2 * MINUTE_MS;
/** A transaction may end so long after the time that it writes. */
const LATE_MS = 30 * SECOND_MS;
/** A list that is not requested for so long is forgotten. */
const KEPT_MS = 10 * MINUTE_MS;
const MOST_GONE = 10_000;
/** Other requests are answered between so many loads. */
const SLICE = 500;

/** Says without reading the loads whether they have changed: by hand, or by polls. */
const READ_MARKS = `
  SELECT concat_ws(' ', count(*), sum(l.id), sum(l.revision), max(l.updated_at), max(l.ended_ms)) AS made,
    coalesce(max(k.seen_ms), 0)::float8 AS seen
  FROM linehaul.loads l LEFT JOIN linehaul.load_states k ON k.load_id = l.id
  WHERE l.usdot = $1 AND (l.ended_ms IS NULL OR l.ended_ms > $2)`;

const READ_IDS = `SELECT id::float8 AS id FROM linehaul.loads WHERE usdot = $1 AND (ended_ms IS NULL OR ended_ms > $2)`;

interface Marks {
  made: string;
  seen: number;
}

/** The loads of a fleet as JSON, each with the version in which it changed: a browser gets those that changed since its own. */
class LoadList {
  #epoch = randomUUID();
  #version = 0;
  readonly #byId = new Map<number, { json: string; version: number }>();
  /** Loads that are not listed any more, and since which version. */
  readonly #gone = new Map<number, number>();
  #marks: Marks | null = null;
  #readMs = -Infinity;
  /** How long the last reading took. */
  #tookMs = 0;
  #readAllMs = -Infinity;
  /** The clock of the server at the last reading. */
  #changedAfterMs = 0;
  #reading: Promise<void> | null = null;
  usedMs = 0;

  /** Reads what has changed; concurrent requests share it. */
  async refresh(pool: Pool, usdot: string, nowMs: number): Promise<void> {
    const { rows } = await pool.query<Marks>(READ_MARKS, [usdot, nowMs - LISTED_MS]);
    const marks = rows[0]!;
    // One that was under way may have begun before this request's own change.
    while (this.#isOld(marks)) {
      this.#reading ??= this.#read(pool, usdot, nowMs, marks).finally(() => (this.#reading = null));
      await this.#reading;
    }
  }

  #isOld({ made, seen }: Marks): boolean {
    const ageMs = performance.now() - this.#readMs;
    if (this.#marks?.made !== made || performance.now() - this.#readAllMs >= READ_ALL_EVERY_MS) return true;
    return this.#marks.seen < seen && ageMs >= this.#tookMs / READ_SHARE;
  }

  async #read(pool: Pool, usdot: string, nowMs: number, marks: Marks): Promise<void> {
    const startMs = performance.now();
    // A clock that was set back says nothing of what is new.
    const isAll = startMs - this.#readAllMs >= READ_ALL_EVERY_MS || nowMs < this.#changedAfterMs;
    const endedAfterMs = nowMs - LISTED_MS;
    const changedAfterMs = isAll ? null : this.#changedAfterMs - LATE_MS;
    const loads = await readLoads(pool, usdot, { endedAfterMs, changedAfterMs, nowMs });
    const { rows: ids } = await pool.query<{ id: number }>(READ_IDS, [usdot, endedAfterMs]);
    const version = this.#version + 1;
    let isChanged = false;
    for (const [i, load] of loads.entries()) {
      if (i % SLICE === SLICE - 1) await breathe();
      const json = JSON.stringify(load);
      if (this.#byId.get(load.id)?.json === json) continue;
      isChanged = true;
      this.#byId.set(load.id, { json, version });
      this.#gone.delete(load.id);
    }
    const listed = new Set(ids.map(({ id }) => id));
    for (const id of this.#byId.keys()) {
      if (listed.has(id)) continue;
      isChanged = true;
      this.#byId.delete(id);
      this.#gone.set(id, version);
    }
    if (isChanged) this.#version = version;
    if (this.#gone.size > MOST_GONE) {
      this.#gone.clear();
      this.#epoch = randomUUID();
    }
    this.#marks = marks;
    this.#readMs = startMs;
    this.#tookMs = performance.now() - startMs;
    if (isAll) this.#readAllMs = startMs;
    this.#changedAfterMs = nowMs;
  }

  /** The body of an answer to a browser that has an earlier version. */
  answer(since: string | undefined, nowMs: number): string {
    const [epoch, text] = since?.split('.') ?? [];
    const isWhole = epoch !== this.#epoch || !/^\d+$/.test(text ?? '');
    const known = isWhole ? -1 : Number(text);
    const loads: string[] = [];
    for (const { json, version } of this.#byId.values()) if (version > known) loads.push(json);
    const gone = isWhole ? [] : [...this.#gone].flatMap(([id, version]) => (version > known ? id : []));
    const version = JSON.stringify(`${this.#epoch}.${this.#version}`);
    return `{"version":${version},"isWhole":${isWhole},"gone":${JSON.stringify(gone)},"nowMs":${nowMs},"loads":[${loads.join(',')}]}`;
  }
}

const held = new WeakMap<Pool, Map<string, LoadList>>();

const listOf = (pool: Pool, usdot: string): LoadList => {
  const lists = getOrMake(held, pool, () => new Map<string, LoadList>());
  const list = getOrMake(lists, usdot, () => new LoadList());
  list.usedMs = performance.now();
  for (const [other, { usedMs }] of lists) if (list.usedMs - usedMs > KEPT_MS) lists.delete(other);
  return list;
};

/**
 * The loads of a fleet that are under way, and those that ended within the last week, as JSON: those that changed since a
 * version, or all. A viewer who sees some trucks gets all of theirs.
 */
export const readLoadList = async (
  context: Pick<LoadContext, 'database' | 'clock' | 'viewer'>,
  usdot: string,
  since: string | undefined,
): Promise<string> => {
  if (context.viewer.tags !== null) {
    const answer = await listLoads(context, usdot);
    return JSON.stringify({ version: '', isWhole: true, gone: [], ...answer });
  }
  const { pool } = await context.database.open();
  const nowMs = context.clock.nowMs();
  const list = listOf(pool, usdot);
  await list.refresh(pool, usdot, nowMs);
  return list.answer(since, nowMs);
};
