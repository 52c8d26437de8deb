import type { Unit } from '../contract';
import type { FixReader } from '../store/fixes/fixes';
import type { DemoFleet } from '../simulator/demo-fleet';
import { hashUnit } from '../simulator/random';
import { specimenOf, type Specimen } from '../simulator/specimens';
import { DEMO_CARRIER } from '../simulator/vehicles';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';

type Fetch = (request: Request) => Promise<Response>;

/** Responses of larger fleets are passed through: parsing and serializing them again would cost too much. */
const LARGEST_FLEET = 2000;
/** Each vehicle at another time, so that there is an alert about one now and then. */
const DROPPED = { periodMs: 6 * HOUR_MS, missingMs: 12 * MINUTE_MS };
/** A plate is changed after the first answers, and back, and so on: the flag stays up for a day. */
const RENAMED = { firstAfterMs: 45 * SECOND_MS, everyMs: 12 * HOUR_MS };
/** Its VIN is known by then, so that its other identifiers identify it. */
const NAMELESS_AFTER_MS = 45 * SECOND_MS;
const WRONG_ZONE_MS = 5 * HOUR_MS;

/** How far a vehicle is into the period after which it is dropped again, ms. */
const toDroppedPhaseMs = ({ vin }: Unit, nowMs: number): number =>
  (nowMs + Math.floor(hashUnit(Number(vin.slice(-4)), 1) * DROPPED.periodMs)) % DROPPED.periodMs;

const reversed = (text: string): string => [...text].reverse().join('');

const toOtherPlate = (unit: Unit, sinceFirstMs: number): Unit => {
  const changes = Math.floor((sinceFirstMs - RENAMED.firstAfterMs) / RENAMED.everyMs) + 1;
  const { licensePlate } = unit;
  if (changes % 2 === 0 || licensePlate?.number == null) return unit;
  return { ...unit, licensePlate: { ...licensePlate, number: reversed(licensePlate.number) } };
};

/** The same vehicle by a second device, a minute behind. */
const toDuplicate = (unit: Unit): Unit => ({
  ...unit,
  deviceId: `${unit.deviceId}-B`,
  timestamp: new Date(Date.parse(unit.timestamp) - MINUTE_MS).toISOString(),
  unixTimestamp: unit.unixTimestamp - 60,
});

/** A record with the fault of its specimen: none, one or two records, which may break the contract. */
const FAULTS: Partial<Record<Specimen, (unit: Unit, sinceFirstMs: number, nowMs: number) => unknown[]>> = {
  unplaced: (unit) => [{ ...unit, coordinates: null }],
  doubled: (unit) => [unit, toDuplicate(unit)],
  signLost: (unit) => [{ ...unit, coordinates: { ...unit.coordinates, lng: -unit.coordinates.lng } }],
  wrongZone: (unit) => [
    { ...unit, timestamp: new Date(Date.parse(unit.timestamp) - WRONG_ZONE_MS).toISOString() },
  ],
  renamed: (unit, sinceFirstMs) => [toOtherPlate(unit, sinceFirstMs)],
  nameless: (unit, sinceFirstMs) => [sinceFirstMs < NAMELESS_AFTER_MS ? unit : { ...unit, vin: '' }],
  dropped: (unit, _, nowMs) => (toDroppedPhaseMs(unit, nowMs) < DROPPED.missingMs ? [] : [unit]),
};

/**
 * Faults that only a provider's responses can have, for the demo fleet's specimens of them: the service refuses to store
 * data that would cause them. Times count from the first response.
 */
export const createSimulatedFaults = (fleet: DemoFleet) => {
  const specimenByVin = new Map(
    fleet.vehicles.flatMap(({ vin }, unit): [string, Specimen][] => {
      const specimen = specimenOf(unit);
      return specimen === null ? [] : [[vin, specimen]];
    }),
  );
  let firstAtMs: number | null = null;
  const specimenOfVin = (vin: string): Specimen | null => specimenByVin.get(vin) ?? null;

  const injectFault = (unit: Unit, specimen: Specimen | null, nowMs: number): unknown[] =>
    (specimen && FAULTS[specimen]?.(unit, nowMs - (firstAtMs ?? nowMs), nowMs)) ?? [unit];

  return {
    toUnits: (units: readonly Unit[], nowMs: number): unknown[] => {
      firstAtMs ??= nowMs;
      return units.flatMap((unit) => injectFault(unit, specimenOfVin(unit.vin), nowMs));
    },
    toUnit: (unit: Unit, nowMs: number): unknown => {
      const specimen = specimenOfVin(unit.vin);
      // Off the list, twice on it or without its VIN there, the vehicle can still be requested by its VIN.
      if (specimen === 'dropped' || specimen === 'doubled' || specimen === 'nameless') return unit;
      return injectFault(unit, specimen, nowMs)[0];
    },
    toVins: (vins: readonly string[]): string[] => vins.filter((vin) => specimenOfVin(vin) !== 'unrostered'),
  };
};

const UNITS = new RegExp(`/api/units/${DEMO_CARRIER.usdot}$`);
const UNIT = new RegExp(`/api/units/${DEMO_CARRIER.usdot}/[^/]+$`);
const VINS = new RegExp(`/api/vin-numbers/${DEMO_CARRIER.usdot}$`);

/** Faults of responses, in which a unit's position, time or place on the list differs from what its device reported. */
const ANSWERED: ReadonlySet<Specimen> = new Set(['unplaced', 'doubled', 'signLost', 'wrongZone', 'dropped']);

/** The stored fixes without those of the specimens whose faults are in the responses alone: of these, polls are recorded. */
export const withoutSimulatedFaults = (store: FixReader, fleet: DemoFleet): FixReader => {
  const isLargest = fleet.vehicles.length > LARGEST_FLEET;
  const faulty = new Set(
    fleet.vehicles.flatMap(({ vin }, unit) => {
      const specimen = isLargest ? null : specimenOf(unit);
      return specimen !== null && ANSWERED.has(specimen) ? [vin] : [];
    }),
  );
  return {
    readRevision: (usdot) => store.readRevision(usdot),
    listSince: async (usdot, since, until) => {
      const { fixes, revision } = await store.listSince(usdot, since, until);
      return { fixes: fixes.filter(({ vin }) => !faulty.has(vin)), revision };
    },
  };
};

/** The demo's service with simulated provider faults: its responses about the demo fleet have the specimens' faults. */
export const withSimulatedFaults = (fetch: Fetch, fleet: DemoFleet, now: () => number): Fetch => {
  if (fleet.vehicles.length > LARGEST_FLEET) return fetch;
  const faults = createSimulatedFaults(fleet);

  const toFaulty = (path: string, json: unknown): unknown => {
    if (UNITS.test(path)) return { units: faults.toUnits((json as { units: Unit[] }).units, now()) };
    return VINS.test(path) ? faults.toVins(json as string[]) : faults.toUnit(json as Unit, now());
  };

  return async (request) => {
    const path = new URL(request.url).pathname;
    const isAffected = UNITS.test(path) || UNIT.test(path) || VINS.test(path);
    if (!isAffected || request.method !== 'GET') return fetch(request);
    // The request may be one of @hono/node-server's, which Node's Request cannot copy.
    const plain = new Request(request.url, { headers: request.headers });
    plain.headers.delete('accept-encoding');
    const response = await fetch(plain);
    if (response.status !== 200) return response;
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(JSON.stringify(toFaulty(path, await response.json())), { status: 200, headers });
  };
};
