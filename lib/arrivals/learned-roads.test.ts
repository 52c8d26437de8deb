import { describe, expect, it } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { toCell } from './cells';
import { toDrives, type RoadFix } from './drives';
import { LearnedRoads } from './learned-roads';

const START_MS = Date.UTC(2026, 5, 1);
const NORTH_M = 111_195;

/** A drive through corners given as [km east, km north], at `kph`, with a fix each 30 s. */
const driveThrough = (corners: readonly [number, number][], kph: number, fromMs = START_MS): RoadFix[] => {
  const fixes: RoadFix[] = [];
  let atMs = fromMs;
  for (let i = 1; i < corners.length; i += 1) {
    const [[x0, y0], [x1, y1]] = [corners[i - 1]!, corners[i]!];
    const steps = Math.ceil((Math.hypot(x1 - x0, y1 - y0) / kph) * 120);
    for (let s = i === 1 ? 0 : 1; s <= steps; s += 1) {
      const [x, y] = [x0 + ((x1 - x0) * s) / steps, y0 + ((y1 - y0) * s) / steps];
      fixes.push({
        lat: 35 + (y * 1000) / NORTH_M,
        lng: -97 + (x * 1000) / (NORTH_M * Math.cos(0.611)),
        fixAtMs: atMs,
      });
      atMs += 30 * SECOND_MS;
    }
  }
  return fixes;
};

const learnAll = (roads: LearnedRoads, fixes: readonly RoadFix[]): void => {
  for (const drive of toDrives(fixes)) roads.learn(drive);
};

const wayBetween = (roads: LearnedRoads, from: RoadFix, to: RoadFix) => {
  const goal = roads.match(to)!;
  return roads.findWay(roads.match(from)!, to, (cell) => (cell === goal ? { distM: 0, driveMs: 0 } : null));
};

const lengthOf = (fixes: readonly RoadFix[]): number =>
  fixes.slice(1).reduce((sum, fix, i) => sum + distanceM(fixes[i]!, fix), 0);

describe('toDrives', () => {
  const fixes = driveThrough(
    [
      [0, 0],
      [20, 0],
    ],
    80,
  );

  it('does not count a rest as driving time, and goes on after it', () => {
    const half = Math.floor(fixes.length / 2);
    const rested = [
      ...fixes.slice(0, half),
      { ...fixes[half]!, fixAtMs: fixes[half]!.fixAtMs + 1 },
      ...fixes.slice(half).map((fix) => ({ ...fix, fixAtMs: fix.fixAtMs + 45 * MINUTE_MS })),
    ];
    const [drive, ...others] = toDrives(rested);
    expect(others).toEqual([]);
    expect(drive!.restMs / MINUTE_MS).toBeCloseTo(45, 0);
    expect(drive!.cells.at(-1)!.atMs / MINUTE_MS).toBeCloseTo(15, 0);
  });

  it('counts a wait of some minutes', () => {
    const waited = [...fixes, { ...fixes.at(-1)!, fixAtMs: fixes.at(-1)!.fixAtMs + 5 * MINUTE_MS }];
    const more = driveThrough(
      [
        [20, 0],
        [25, 0],
      ],
      80,
      waited.at(-1)!.fixAtMs + 1,
    );
    expect(toDrives([...waited, ...more])[0]!.cells.at(-1)!.atMs / MINUTE_MS).toBeCloseTo(15 + 5 + 3.75, 0);
  });

  it('ends at a gap and at a jump', () => {
    const later = fixes.map((fix) => ({ ...fix, fixAtMs: fix.fixAtMs + 2 * HOUR_MS }));
    expect(toDrives([...fixes, ...later])).toHaveLength(2);
    const jump = { ...fixes[10]!, lat: fixes[10]!.lat + 2, fixAtMs: fixes[10]!.fixAtMs + 1000 };
    expect(toDrives([...fixes.slice(0, 11), jump, ...fixes.slice(11)])).toHaveLength(2);
  });
});

describe('LearnedRoads', () => {
  const corners: [number, number][] = [
    [0, 0],
    [10, 3],
    [12, 15],
    [30, 18],
    [31, 40],
  ];
  const trail = driveThrough(corners, 72);

  it('finds a way as long as what was driven, within 5 %, and in its time', () => {
    const roads = new LearnedRoads();
    learnAll(roads, trail);
    learnAll(roads, driveThrough(corners, 72, START_MS + DAY_MS));
    const way = wayBetween(roads, trail[0]!, trail.at(-1)!)!;
    expect(way.distM / lengthOf(trail)).toBeGreaterThan(0.95);
    expect(way.distM / lengthOf(trail)).toBeLessThan(1.05);
    expect(way.driveMs / (way.distM / 20)).toBeGreaterThan(0.9);
  });

  it('knows no way back along a road that was driven in one direction', () => {
    const roads = new LearnedRoads();
    learnAll(roads, trail);
    expect(wayBetween(roads, trail.at(-1)!, trail[0]!)).toBeNull();
  });

  it('takes the quicker of two ways', () => {
    const roads = new LearnedRoads();
    const slow = driveThrough(
      [
        [0, 0],
        [40, 0],
      ],
      30,
    );
    for (let i = 0; i < 5; i += 1) {
      learnAll(roads, slow);
      learnAll(
        roads,
        driveThrough(
          [
            [0, 0],
            [20, 10],
            [40, 0],
          ],
          110,
        ),
      );
    }
    expect(wayBetween(roads, slow[0]!, slow.at(-1)!)!.distM).toBeGreaterThan(43_000);
  });

  it('matches a position to a road within some cells, and to none that is farther away', () => {
    const roads = new LearnedRoads();
    learnAll(roads, trail);
    expect(roads.match(trail[5]!)).toBe(toCell(trail[5]!));
    expect(roads.match({ ...trail[5]!, lat: trail[5]!.lat - 0.009 })).not.toBeNull();
    expect(roads.match({ ...trail[5]!, lat: trail[5]!.lat - 0.05 })).toBeNull();
  });

  it('forgets the roads that were not driven for the longest time', () => {
    const roads = new LearnedRoads({ most: 200 });
    learnAll(
      roads,
      driveThrough(
        [
          [0, 0],
          [60, 0],
        ],
        90,
      ),
    );
    learnAll(
      roads,
      driveThrough(
        [
          [0, 50],
          [60, 50],
        ],
        90,
        START_MS + DAY_MS,
      ),
    );
    expect(roads.size).toBeLessThanOrEqual(200);
    const newer = driveThrough(
      [
        [0, 50],
        [60, 50],
      ],
      90,
    );
    expect(wayBetween(roads, newer[0]!, newer.at(-1)!)).not.toBeNull();
  });
});
