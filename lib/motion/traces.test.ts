import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { deriveStatus } from './derive';
import { EMPTY_MEMORY } from './memory';
import { observeFix } from './observe';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { createRandom, shuffled } from '@/testing/motion/fixes';
import { newestOf } from './track';

const traces = process.env.LINEHAUL_TRACES;

interface Reading {
  lat: number;
  lng: number;
  fixAtMs: number;
  saidKph: number;
}

/** Fixes of each of Austin's buses in order of time, without those at 0,0. */
const parseBuses = (folder: string): Reading[][] => {
  const text = readFileSync(join(folder, 'austin-buses-2017-03-21.csv'));
  const byBus = new Map<string, Reading[]>();
  for (const row of parse(text, { columns: true }) as Record<string, string>[]) {
    const reading = {
      lat: Number(row.latitude),
      lng: Number(row.longitude),
      fixAtMs: Date.parse(row.timestamp!),
      saidKph: Number(row.speed) * 3.6,
    };
    if (reading.lat === 0 && reading.lng === 0) continue;
    const readings = byBus.get(row.vehicle_id!) ?? [];
    readings.push(reading);
    byBus.set(row.vehicle_id!, readings);
  }
  return [...byBus.values()].map((readings) => readings.sort((a, b) => a.fixAtMs - b.fixAtMs));
};

let parsed: Reading[][] | null = null;
const readBuses = (): Reading[][] => (parsed ??= parseBuses(traces!));

const observeBus = (readings: readonly Reading[], nowMs: number) =>
  readings.reduce((memory, reading) => observeFix(memory, reading, nowMs, settings), EMPTY_MEMORY);

test.skipIf(!traces)(
  'finds the buses of a day in Austin plausible, and their speeds about as reported',
  () => {
    const errorsKph: number[] = [];
    let jumps = 0;
    let fastestKph = 0;
    for (const readings of readBuses()) {
      let memory = EMPTY_MEMORY;
      for (const reading of readings) {
        const before = memory;
        memory = observeFix(memory, reading, reading.fixAtMs, settings);
        if (memory.doubtful) jumps++;
        if (memory === before || memory.phase !== 'moving' || !memory.leg) continue;
        fastestKph = Math.max(fastestKph, memory.leg.speedKph);
        errorsKph.push(memory.leg.speedKph - reading.saidKph);
      }
    }
    errorsKph.sort((a, b) => a - b);
    expect(jumps).toBe(0);
    expect(fastestKph).toBeLessThan(settings.impossibleKph);
    expect(errorsKph.length).toBeGreaterThan(20_000);
    expect(Math.abs(errorsKph[errorsKph.length >> 1]!)).toBeLessThan(2);
  },
);

test.skipIf(!traces)('leaves each bus at its own newest fix in whatever order the day is replayed', () => {
  const random = createRandom(1);
  const buses = readBuses();
  expect(buses).toHaveLength(329);
  for (const readings of buses) {
    const newest = readings[readings.length - 1]!;
    const memory = observeBus(shuffled(readings, random), newest.fixAtMs);
    const held = newestOf(memory.track)!;
    expect([memory.doubtful, held.fixAtMs]).toEqual([null, newest.fixAtMs]);
  }
});

test.skipIf(!traces)('changes the status of a bus no more often than it stops', () => {
  let changes = 0;
  let fixes = 0;
  for (const readings of readBuses()) {
    let memory = EMPTY_MEMORY;
    let said = '';
    for (const reading of readings) {
      memory = observeFix(memory, reading, reading.fixAtMs, settings);
      const listing = { isListed: true, sinceMs: reading.fixAtMs };
      const { status } = deriveStatus(memory, reading.fixAtMs, listing, settings);
      fixes++;
      if (status !== said) changes++;
      said = status;
    }
  }
  // A bus stops about every ten minutes for longer than a red light; its fixes are one or two minutes apart.
  expect(changes / fixes).toBeLessThan(0.12);
});
