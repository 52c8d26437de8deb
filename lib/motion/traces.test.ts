import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { deriveStatus } from './derive';
import { NO_MOTION } from './motion-state';
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
  readings.reduce((state, reading) => observeFix(state, reading, nowMs, settings), NO_MOTION);

test.skipIf(!traces)(
  'finds the buses of a day in Austin plausible, and their speeds about as reported',
  () => {
    const errorsKph: number[] = [];
    let jumps = 0;
    let fastestKph = 0;
    for (const readings of readBuses()) {
      let state = NO_MOTION;
      for (const reading of readings) {
        const before = state;
        state = observeFix(state, reading, reading.fixAtMs, settings);
        if (state.unconfirmed) jumps++;
        if (state === before || state.phase !== 'moving' || !state.leg) continue;
        fastestKph = Math.max(fastestKph, state.leg.speedKph);
        errorsKph.push(state.leg.speedKph - reading.saidKph);
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
    const state = observeBus(shuffled(readings, random), newest.fixAtMs);
    const held = newestOf(state.track)!;
    expect([state.unconfirmed, held.fixAtMs]).toEqual([null, newest.fixAtMs]);
  }
});

test.skipIf(!traces)('changes the status of a bus no more often than it stops', () => {
  let changes = 0;
  let fixes = 0;
  for (const readings of readBuses()) {
    let state = NO_MOTION;
    let last = '';
    for (const reading of readings) {
      state = observeFix(state, reading, reading.fixAtMs, settings);
      const listing = { isListed: true, sinceMs: reading.fixAtMs };
      const { status } = deriveStatus(state, reading.fixAtMs, listing, settings);
      fixes++;
      if (status !== last) changes++;
      last = status;
    }
  }
  // A bus stops about every ten minutes for longer than a red light; its fixes are one or two minutes apart.
  expect(changes / fixes).toBeLessThan(0.12);
});
