import { gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUnits } from './read-units';
import type { Registration } from './database';
import type { RunningServer } from './servers';

/** What GET /api/units/:usdot takes, in milliseconds to the last byte, while nothing else goes on. */
export interface UnitsMeasured {
  units: number;
  bytes: number;
  compressedBytes: number;
  firstMs: number;
  laterMs: number[];
  /** Asked with the entity tag of what is held. */
  notModifiedMs: number[];
}

const repeat = async <Value>(times: number, read: () => Promise<Value>): Promise<Value[]> => {
  const values: Value[] = [];
  while (values.length < times) values.push(await read());
  return values;
};

export const measureUnits = async (
  server: RunningServer,
  registration: Registration,
  reads: number,
): Promise<UnitsMeasured> => {
  const first = await readUnits(server, registration);
  const json = gunzipSync(first.bytes);
  const later = await repeat(reads, () => readUnits(server, registration));
  const held = await repeat(reads, () => readUnits(server, registration, first.etag));
  return {
    units: (JSON.parse(json.toString()) as { units: unknown[] }).units.length,
    bytes: json.byteLength,
    compressedBytes: first.bytes.byteLength,
    firstMs: first.ms,
    laterMs: later.map(({ ms }) => ms),
    notModifiedMs: held.filter(({ status }) => status === 304).map(({ ms }) => ms),
  };
};

/** Reads the fleet now and then, as a feed does, for as long as something else goes on; how long each answer took. */
export const readWhile = async (
  running: Promise<unknown>,
  server: RunningServer,
  registration: Registration,
  everyMs: number,
): Promise<number[]> => {
  const takenMs: number[] = [];
  const ended = running.then(() => true);
  let etag = '';
  do {
    const answer = await readUnits(server, registration, etag);
    etag = answer.etag;
    takenMs.push(answer.ms);
  } while (!(await Promise.race([ended, sleep(everyMs, false)])));
  return takenMs;
};
