import type { Bounds } from '@/lib/geo/geodesy';
import { describe, expect, it } from 'vitest';
import { countFleet, filterRows, rowsInBounds } from './filter';
import { createMarks, withMarks } from './marks';
import { createTestFleet } from '@/testing/view/fleet';

const fleet = createTestFleet([
  { truckNumber: '1', status: 'moving', lat: 35, lng: -101, siteId: 7 },
  { truckNumber: '2', status: 'stopped', lat: 40, lng: -90, flags: ['badVin'] },
  null,
  { truckNumber: '3', status: 'late', lat: 52, lng: 179.5, siteId: 8 },
  { truckNumber: '4', status: 'silent', reason: 'neverSeen' },
]);
const within = (rows: number[], bounds: Bounds) => [...rowsInBounds(fleet, Int32Array.from(rows), bounds)];
const plain = {
  statuses: [],
  reasons: [],
  flagged: false,
  flags: [],
  tags: [],
  sites: [],
  loads: [],
  query: '',
} as const;

describe('filter', () => {
  it('passes the trucks that have a load with one of the verdicts', () => {
    const [one, , , four] = [0, 1, 3, 4].map((row) => fleet.identities[row]!.key);
    const loads = [
      { id: 1, unit: one!, references: ['8841', 'PO 5'], verdict: 'late', label: 'late' },
      { id: 2, unit: four!, references: ['8842'], verdict: 'onTime', label: 'on time' },
      // Of a moment in the past.
      { id: 3, unit: one!, references: ['8843'], verdict: null, label: 'in transit' },
    ] as const;
    const marked = withMarks(fleet, createMarks([], [], [], loads));
    expect([...filterRows(marked, { ...plain, loads: ['late', 'atRisk'] })]).toEqual([0]);
    expect([...filterRows(marked, { ...plain, query: '8842' })]).toEqual([4]);
  });

  it('passes every unit when nothing is chosen, and no row without one', () => {
    expect([...filterRows(fleet, plain)]).toEqual([0, 1, 3, 4]);
  });

  it('returns the same list object until a unit joins or leaves', () => {
    const growing = createTestFleet([{ truckNumber: '1' }, null]);
    const first = filterRows(growing, plain);
    expect(filterRows({ ...growing, version: 'e.2' }, plain)).toBe(first);
    const [unit] = growing.identities;
    expect([...filterRows({ ...growing, identities: [unit!, unit!] }, plain)]).toEqual([0, 1]);
    expect([...filterRows({ ...growing, identities: [null, unit!] }, plain)]).toEqual([1]);
    expect([...first]).toEqual([0]);
  });

  it('passes units with any of the chosen statuses or a flag', () => {
    expect([...filterRows(fleet, { ...plain, statuses: ['moving', 'late'] })]).toEqual([0, 3]);
    expect([...filterRows(fleet, { ...plain, flagged: true })]).toEqual([1]);
    expect([...filterRows(fleet, { ...plain, statuses: ['late'], flagged: true })]).toEqual([1, 3]);
  });

  it('passes units with one of the chosen tags, among those of the chosen statuses', () => {
    const tags = [
      { tag: 'flatbeds', units: ['unit:0', 'unit:1'] },
      { tag: 'night shift', units: ['unit:1', 'unit:3'] },
    ];
    const tagged = withMarks(fleet, createMarks([], tags));
    expect([...filterRows(tagged, { ...plain, tags: ['flatbeds'] })]).toEqual([0, 1]);
    expect([...filterRows(tagged, { ...plain, tags: ['flatbeds', 'night shift'] })]).toEqual([0, 1, 3]);
    expect([...filterRows(tagged, { ...plain, tags: ['flatbeds'], statuses: ['stopped', 'late'] })]).toEqual([
      1,
    ]);
    expect([...filterRows(tagged, { ...plain, tags: ['no such tag'] })]).toEqual([]);
  });

  it('passes units with one of the chosen flags, or silent for a chosen reason', () => {
    expect([...filterRows(fleet, { ...plain, flags: ['badVin'] })]).toEqual([1]);
    expect([...filterRows(fleet, { ...plain, flags: ['clockFault'] })]).toEqual([]);
    expect([...filterRows(fleet, { ...plain, reasons: ['neverSeen'] })]).toEqual([4]);
    expect([...filterRows(fleet, { ...plain, reasons: ['vanishedMoving'], flags: ['badVin'] })]).toEqual([1]);
  });

  it('passes units at one of the chosen sites, of those that the rest of the filter passes', () => {
    expect([...filterRows(fleet, { ...plain, sites: [7, 9] })]).toEqual([0]);
    expect([...filterRows(fleet, { ...plain, sites: [7, 8], statuses: ['late'] })]).toEqual([3]);
    expect([...filterRows(fleet, { ...plain, sites: [9] })]).toEqual([]);
  });

  it('applies the search as well', () => {
    expect([...filterRows(fleet, { ...plain, statuses: ['moving', 'late'], query: '3' })]).toEqual([3]);
  });

  it('keeps the order of rows within bounds, and leaves out what has no position', () => {
    expect(within([4, 1, 0], [30, -110, 45, -80])).toEqual([1, 0]);
    expect(within([1, 0], [36, -110, 45, -80])).toEqual([1]);
  });

  it('understands bounds across the antimeridian and on another turn of the world', () => {
    expect(within([3, 0], [50, 170, 55, 190])).toEqual([3]);
    expect(within([3, 0], [50, -190, 55, -170])).toEqual([3]);
    expect(within([3, 0], [-80, -300, 80, 100])).toEqual([3, 0]);
  });

  it('counts every unit once by status, and the flagged ones separately', () => {
    const counts = countFleet(fleet);
    expect(counts).toMatchObject({
      all: 4,
      byStatus: { moving: 1, stopped: 1, late: 1, silent: 1, unknown: 0 },
      byReason: { neverSeen: 1, vanishedMoving: 0 },
      flagged: 1,
      byFlag: { badVin: 1, clockFault: 0 },
    });
    expect(Object.values(counts.byStatus).reduce((sum, n) => sum + n)).toBe(counts.all);
  });
});
