import { describe, expect, it } from 'vitest';
import { toReports, type PlanOptions } from './run';
import type { ReplayFix } from './recording';

const NOW_MS = Date.UTC(2026, 0, 1);
const options: PlanOptions = { protocol: 'osmand', shift: 'end', pace: Infinity, nowMs: NOW_MS };

const fix = (line: number, deviceId: string, atS: number, lat = 35): ReplayFix => ({
  line,
  deviceId,
  fixAtMs: atS * 1000,
  lat,
  lng: -101,
  speedKph: null,
  headingDeg: null,
  altitudeM: null,
  accuracyM: null,
  batteryPercent: null,
});
const recorded = [fix(2, 'a', 1000), fix(3, 'a', 1600), fix(4, 'b', 1060), fix(5, 'a', 1300)];

const outline = (fixes: ReplayFix[], changed: Partial<PlanOptions>) =>
  toReports(fixes, { ...options, ...changed }).map((report) => ({
    inS: (report.sendAtMs - NOW_MS) / 1000,
    lines: report.fixes.map(({ line }) => line),
    agesS: report.fixes.map(({ fixAtMs }) => (NOW_MS - fixAtMs) / 1000),
  }));

describe('toReports', () => {
  it('sends all at once at full pace, in the order of the file, the newest fix being of now', () => {
    expect(outline(recorded, {})).toEqual([
      { inS: 0, lines: [2], agesS: [600] },
      { inS: 0, lines: [3], agesS: [0] },
      { inS: 0, lines: [4], agesS: [540] },
      { inS: 0, lines: [5], agesS: [300] },
    ]);
  });

  it('spreads the fixes by the pace, in the order of time, the newest being of the moment it is sent', () => {
    expect(outline(recorded, { pace: 60 })).toEqual([
      { inS: 0, lines: [2], agesS: [590] },
      { inS: 1, lines: [4], agesS: [530] },
      { inS: 5, lines: [5], agesS: [290] },
      { inS: 10, lines: [3], agesS: [-10] },
    ]);
  });

  it('sends each fix at its own time at a pace of 1', () => {
    for (const { inS, agesS } of outline(recorded, { pace: 1 })) expect(inS + agesS[0]!).toBe(0);
  });

  it('puts the first fix at now, or leaves the times as they are', () => {
    expect(outline(recorded, { shift: 'start' })[0]?.agesS).toEqual([0]);
    expect(toReports(recorded, { ...options, shift: 'none' })[0]?.fixes[0]?.fixAtMs).toBe(1_000_000);
  });

  it('gathers the fixes of a device in batches for Overland', () => {
    expect(outline(recorded, { protocol: 'overland' }).map(({ lines }) => lines)).toEqual([[2, 3, 5], [4]]);
    const many = Array.from({ length: 450 }, (_, index) => fix(index + 2, 'a', index));
    expect(outline(many, { protocol: 'overland' }).map(({ lines }) => lines.length)).toEqual([200, 200, 50]);
  });

  it('gathers at a pace only what falls due within a few seconds', () => {
    expect(outline(recorded, { protocol: 'overland', pace: 60 }).map(({ lines }) => lines)).toEqual([
      [2],
      [4],
      [5],
      [3],
    ]);
    expect(outline(recorded, { protocol: 'overland', pace: 600 })).toEqual([
      { inS: 0.1, lines: [4], agesS: [539] },
      { inS: 1, lines: [2, 5, 3], agesS: [599, 299, -1] },
    ]);
  });

  it('sends a fix that will be refused alone, so that it takes no batch down with it', () => {
    const withBad = [
      fix(2, 'a', 1000),
      { ...fix(3, 'a', 1060, 0), lng: 0 },
      fix(4, 'a', 1120),
      fix(5, 'a', 1180, 95),
    ];
    expect(outline(withBad, { protocol: 'overland' }).map(({ lines }) => lines)).toEqual([[2, 4], [3], [5]]);
  });

  it('plans nothing for an empty recording', () => {
    expect(toReports([], options)).toEqual([]);
  });
});
