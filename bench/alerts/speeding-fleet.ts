import type { FleetSource } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits, toApiRecord } from '@/testing/tracking/scripted-units';

/** 49 and 81 mph. */
const [SLOW_MPS, FAST_MPS] = [22, 36];
/** Between the two, also once the slower speed closes an alert. */
export const LIMIT_MPH = 65;
const FAST_S = 30;
const DEGREES_PER_M = 1 / 111_195;

/**
 * Trucks that drive north with a new fix in each answer. Each of them is fast for half a minute in `cycleS`, one after the
 * other, so that the same number becomes fast between any two polls.
 */
export const createSpeedingFleet = (units: number, cycleS: number, startMs: number): FleetSource => {
  const trucks = createScriptedUnits(units);
  const cycleM = FAST_S * FAST_MPS + (cycleS - FAST_S) * SLOW_MPS;
  const toDrivenM = (s: number): number => {
    const inCycleS = s % cycleS;
    const fastS = Math.min(inCycleS, FAST_S);
    return Math.floor(s / cycleS) * cycleM + fastS * FAST_MPS + (inCycleS - fastS) * SLOW_MPS;
  };
  return (atMs) =>
    trucks.map((truck, i) => {
      const record = toApiRecord({ ...truck, northMps: 0 }, atMs);
      // The first fixes are some seconds old.
      const drivenS = cycleS + Number(record.unixTimestamp) - startMs / 1000;
      const lat = truck.lat + toDrivenM(drivenS + (i / units) * cycleS) * DEGREES_PER_M;
      return { ...record, coordinates: { lat: Number(lat.toFixed(6)), lng: truck.lng } };
    });
};
