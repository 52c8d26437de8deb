import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { START_MS, createRandom, shuffled } from '@/testing/motion/fixes';
import { fixedAt, siteOf, type FixFields } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import type { FleetRows } from '@/lib/wire/fleet';
import { toPollStep } from './poll-step';
import type { Site } from './site';
import { SiteTracker, type SiteEvent } from './site-tracker';
import { MINUTE_MS } from '@/lib/base/time';

const YARD = siteOf(1, 0);

const toText = ({ kind, visit }: SiteEvent): string => {
  const toMin = (ms: number | null): string => (ms === null ? '?' : `${(ms - START_MS) / MINUTE_MS}`);
  const arrived = `${toMin(visit.arrivedAfterMs)}<${toMin(visit.arrivedMs)}`;
  const left = visit.leftMs === null ? '' : ` ${toMin(visit.leftMs)}>${toMin(visit.leftByMs)}`;
  return `${visit.unit} ${kind} ${visit.siteId} ${arrived}${left}`;
};

let tracker: SiteTracker;
let before: FleetRows | null;

/** One poll; the rows as they are then, and in words what the tracker found. */
const poll = (min: number, units: (UnitFields | null)[]): string[] => {
  const rows = createTestFleet(units);
  const step = toPollStep(before, rows, START_MS + min * MINUTE_MS);
  before = rows;
  return tracker.observe(step).map(toText);
};
/** Polls whenever one unit has a fix; events of all. */
const drive = (...fixes: FixFields[]): string[] => fixes.flatMap((fix) => poll(fix.min, [fixedAt('A', fix)]));

const setUp = (sites: Site[] = [YARD]): void => {
  tracker = new SiteTracker();
  tracker.configure(sites);
  before = null;
};
beforeEach(() => setUp());

describe('arrival', () => {
  it('is the first of the fixes inside once they last for a minute', () => {
    expect(drive({ min: 0, northM: 2000 }, { min: 1, northM: 150 }, { min: 1.9, northM: 100 })).toEqual([]);
    expect(before!.columns.siteId[0]).toBe(0);
    expect(drive({ min: 2, northM: 50 })).toEqual(['A arrived 1 0<1']);
    expect(before!.columns.siteId[0]).toBe(1);
    expect(drive({ min: 3, northM: 50 })).toEqual([]);
    expect(before!.columns.siteId[0]).toBe(1);
  });

  it('is one fix inside where no other comes for five minutes', () => {
    const parked = fixedAt('A', { min: 1, northM: 0 });
    expect(poll(1.5, [parked])).toEqual([]);
    expect(poll(6.4, [parked])).toEqual([]);
    expect(poll(6.5, [parked])).toEqual(['A arrived 1 ?<1']);
  });

  it('is none of a unit that drives through, nor of one in the margin', () => {
    const through = [900, 100, -400, -900].map((northM, i) => ({ min: i / 2, northM }));
    expect(drive(...through)).toEqual([]);
    expect(drive(...[5, 6, 7, 8].map((min) => ({ min, northM: 260 })))).toEqual([]);
    expect(poll(30, [fixedAt('A', { min: 8, northM: 260 })])).toEqual([]);
  });

  it('of a unit at the edge counts: fixes between edge and margin neither make it nor end it', () => {
    const alternating = (everyMin: number, count: number) =>
      drive(
        ...Array.from({ length: count }, (_, i) => ({ min: i * everyMin, northM: i % 2 === 0 ? 190 : 230 })),
      );
    expect(alternating(0.5, 3)).toEqual(['A arrived 1 ?<0']);
    for (const everyMin of [1, 2, 4.9]) {
      setUp();
      expect(alternating(everyMin, 9)).toEqual(['A arrived 1 ?<0']);
    }
  });

  it('is none of a unit that stands between edge and margin, though one fix was inside', () => {
    const beside = Array.from({ length: 60 }, (_, i) => ({ min: i + 1, northM: 230 }));
    expect(drive({ min: 0, northM: 190 }, ...beside)).toEqual([]);
    // An hour later it drives in.
    expect(drive({ min: 61, northM: 190 }, { min: 62, northM: 100 })).toEqual(['A arrived 1 60<61']);
  });

  it('after a gap lies between the last fix outside and the first one inside', () => {
    expect(drive({ min: 0, northM: 9000 }, { min: 28, northM: 0 }, { min: 30, northM: 0 })).toEqual([
      'A arrived 1 0<28',
    ]);
  });

  it('is not judged from a position that is no evidence', () => {
    for (const flag of ['clockFault', 'impossibleJump', 'implausiblePosition', 'frozenPosition'] as const)
      expect(drive(...[1, 2, 3].map((min) => ({ min, northM: 0, flags: [flag] })))).toEqual([]);
    expect(drive(...[4, 5, 6].map((min) => ({ min, northM: 0, coarseM: 201 })))).toEqual([]);
    expect(drive(...[7, 8].map((min) => ({ min, northM: 50, coarseM: 140 })))).toEqual(['A arrived 1 ?<7']);
  });

  it('is not dated after a coarse fix that may have been inside', () => {
    const fixes: FixFields[] = [
      { min: 0, northM: 5000 },
      { min: 5, northM: 900, coarseM: 1000 },
      { min: 10, northM: 0 },
      { min: 11, northM: 0 },
    ];
    expect(drive(...fixes)).toEqual(['A arrived 1 0<10']);
  });
});

describe('departure', () => {
  beforeEach(() => void drive({ min: 0, northM: 0 }, { min: 1, northM: 0 }));

  it('lies after the last fix inside the edge, and is judged once those beyond the margin last for a minute', () => {
    const fixes = [
      { min: 10, northM: 274 },
      { min: 11, northM: 300 },
      { min: 11.9, northM: 400 },
    ];
    expect(drive(...fixes)).toEqual([]);
    expect(before!.columns.siteId[0]).toBe(1);
    expect(drive({ min: 12, northM: 400 })).toEqual(['A left 1 ?<0 1>11']);
    expect(before!.columns.siteId[0]).toBe(0);
  });

  it('is shown by one fix that is far away', () => {
    expect(drive({ min: 10, northM: 1195 })).toEqual([]);
    expect(drive({ min: 10.1, northM: 1205 })).toEqual(['A left 1 ?<0 1>10']);
  });

  it('is not shown by a fix beyond the margin among others within it, nor by silence', () => {
    const fixes = [20, 320, 20, 330, 280, 100].map((northM, i) => ({ min: 2 + i / 3, northM }));
    expect(drive(...fixes)).toEqual([]);
    expect(poll(300, [fixedAt('A', { min: 4, northM: 100 })])).toEqual([]);
  });

  it('is not dated by fixes that come late and do not change the row, nor by an older one that does', () => {
    drive({ min: 10, northM: 0 });
    expect(poll(10.5, [fixedAt('A', { min: 5, northM: 5000 })])).toEqual([]);
    expect(poll(11, [fixedAt('A', { min: 6.5, northM: 5000 })])).toEqual([]);
  });
});

describe('a position that wanders over the edge', () => {
  it('is one visit in an hour', () => {
    const random = createRandom(7);
    const wander = Array.from({ length: 240 }, (_, i) => ({ min: i / 4, northM: 140 + random() * 120 }));
    expect(drive(...wander).map((text) => text.split(' ')[1])).toEqual(['arrived']);
  });
});

describe('several sites', () => {
  it('are visited at once, and the smallest names the place', () => {
    const city = siteOf(2, 0, { shape: { type: 'circle', lat: 35, lng: -101, radiusM: 5000 } });
    setUp([city, YARD]);
    expect(drive({ min: 0, northM: 0 }, { min: 1, northM: 0 })).toEqual([
      'A arrived 2 ?<0',
      'A arrived 1 ?<0',
    ]);
    expect(before!.columns.siteId[0]).toBe(1);
    expect(drive({ min: 2, northM: 1500 })).toEqual(['A left 1 ?<0 1>2']);
    expect(before!.columns.siteId[0]).toBe(2);
  });

  it('a removed one is forgotten, and another shape is judged by where units are', () => {
    const moved = siteOf(2, 5000);
    setUp([YARD, moved]);
    poll(0, [fixedAt('A', { min: 0, northM: 0 }), fixedAt('B', { min: 0, northM: 5000 })]);
    const parked = [fixedAt('A', { min: 1, northM: 0 }), fixedAt('B', { min: 1, northM: 5000 })];
    expect(poll(1, parked)).toHaveLength(2);
    tracker.configure([siteOf(2, 5300), siteOf(3, 0)]);
    expect(poll(2, parked)).toEqual(['B ended 2 ?<0 1>?']);
    expect([...before!.columns.siteId]).toEqual([0, 0]);
    // Whether the unit was there before the site was drawn is not known.
    expect(poll(7, parked)).toEqual(['A arrived 3 ?<1']);
    tracker.configure([siteOf(2, 5300), siteOf(3, 0, { name: 'Dock' })]);
    expect(poll(8, parked)).toEqual([]);
    expect(before!.columns.siteId[0]).toBe(3);
  });
});

describe('rows', () => {
  it('may be renumbered', () => {
    const [a, b] = [fixedAt('A', { min: 0, northM: 0 }), fixedAt('B', { min: 0, northM: 9000 })];
    poll(0, [null, b, a]);
    expect(poll(1, [fixedAt('A', { min: 1, northM: 0 }), b])).toEqual(['A arrived 1 ?<0']);
    expect(poll(2, [b, fixedAt('A', { min: 2, northM: 0 })])).toEqual([]);
    expect([...before!.columns.siteId]).toEqual([0, 1]);
    expect(poll(3, [b, fixedAt('A', { min: 3, northM: 3000 })])).toEqual(['A left 1 ?<0 2>3']);
    // The time of the last fix went with the unit.
    poll(4, [fixedAt('A', { min: 4, northM: 0 })]);
    expect(poll(5, [fixedAt('A', { min: 5, northM: 0 })])).toEqual(['A arrived 1 3<4']);
  });

  it('of units that left the fleet end their visits', () => {
    const parked = [0, 1].map((min) => [fixedAt('A', { min, northM: 0 }), fixedAt('B', { min, northM: 10 })]);
    expect(parked.flatMap((units, min) => poll(min, units))).toHaveLength(2);
    expect(poll(2, [null, parked[1]![1]!])).toEqual(['A ended 1 ?<0 1>?']);
    expect([...before!.columns.siteId]).toEqual([0, 1]);
  });
});

describe('a restart', () => {
  const visit = { siteId: 1, arrivedAfterMs: null, arrivedMs: START_MS, leftMs: null, leftByMs: null };
  const restore = (...units: string[]) => {
    poll(
      30,
      ['A', 'B', 'C'].map((unit) => fixedAt(unit, { min: 30, northM: unit === 'C' ? 5000 : 0 })),
    );
    tracker.detach(before!);
    before = null;
    tracker.restore(units.map((unit) => ({ ...visit, unit })));
  };

  it('goes on with open visits, and dates what happened meanwhile by the last recorded fix', () => {
    restore('A', 'B');
    const units = [
      fixedAt('A', { min: 60, northM: 0 }),
      fixedAt('B', { min: 60, northM: 5000 }),
      fixedAt('C', { min: 60, northM: 0 }),
    ];
    expect(poll(60, units)).toEqual(['B left 1 ?<0 30>60']);
    expect([...before!.columns.siteId]).toEqual([1, 0, 0]);
    expect(
      poll(61, [fixedAt('A', { min: 61, northM: 0 }), null, fixedAt('C', { min: 61, northM: 0 })]),
    ).toEqual(['C arrived 1 30<60']);
  });

  it('waits two hours for a unit that does not appear', () => {
    restore('A', 'B');
    poll(0, []);
    expect(poll(119, [fixedAt('B', { min: 119, northM: 0 })])).toEqual([]);
    expect(poll(120, [fixedAt('B', { min: 119, northM: 0 })])).toEqual(['A ended 1 ?<0 30>?']);
    expect(poll(300, [fixedAt('B', { min: 119, northM: 0 })])).toEqual([]);
  });
});

it('a clock that is set back by an hour neither repeats nor delays anything', () => {
  expect(drive({ min: 60, northM: 0 }, { min: 61, northM: 0 })).toEqual(['A arrived 1 ?<60']);
  expect(poll(2, [fixedAt('A', { min: 2, northM: 0 })])).toEqual([]);
  expect(poll(3, [fixedAt('A', { min: 3, northM: 4000 })])).toEqual(['A left 1 ?<60 60>60']);
  poll(4, [fixedAt('A', { min: 4, northM: 0 })]);
  expect(poll(5, [fixedAt('A', { min: 5, northM: 0 })])).toEqual(['A arrived 1 3<4']);
});

/** Units that wander between two sites, in rows of any order, with fixes that are missing or late. */
const script = fc.array(
  fc.array(fc.record({ northM: fc.integer({ min: -1500, max: 1500 }), isNew: fc.boolean() }), {
    minLength: 3,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 40 },
);
const play = (polls: readonly { northM: number; isNew: boolean }[][], random: (() => number) | null) => {
  setUp([YARD, siteOf(2, 700)]);
  const held = polls[0]!.map((each, i) => fixedAt('ABC'[i]!, { min: 0, ...each }));
  return polls.map((units, i) => {
    units.forEach(({ northM, isNew }, unit) => {
      if (isNew) held[unit] = fixedAt('ABC'[unit]!, { min: i / 2, northM });
    });
    const events = poll(i / 2, random ? shuffled([...held, null, null], random) : held).sort();
    const places = new Map(before!.identities.map((each, row) => [each?.key, before!.columns.siteId[row]!]));
    return { events, places: [...'ABC'].map((unit) => places.get(unit)!) };
  });
};

it('the order of rows makes no difference, and visits of a unit to a site follow each other', () => {
  fc.assert(
    fc.property(script, fc.integer(), (polls, seed) => {
      const played = play(polls, null);
      expect(play(polls, createRandom(seed))).toEqual(played);
      /** When each unit arrived at each site that it visits. */
      const open = new Map<string, number>();
      for (const { events, places } of played) {
        for (const event of events) {
          const [unit, kind, site, arrived, left] = event.split(' ') as [
            string,
            string,
            string,
            string,
            string?,
          ];
          const visit = `${unit} ${site}`;
          const arrivedMin = Number(arrived.split('<')[1]);
          if (kind === 'arrived') expect(open.has(visit)).toBe(false);
          else expect(open.get(visit)).toBe(arrivedMin);
          const [leftMin, byMin] = (left ?? `${arrivedMin}>${arrivedMin}`).split('>').map(Number);
          expect(arrivedMin).toBeLessThanOrEqual(leftMin!);
          expect(leftMin).toBeLessThanOrEqual(byMin!);
          if (kind === 'arrived') open.set(visit, arrivedMin);
          else open.delete(visit);
        }
        places.forEach((site, i) => {
          const visited = [1, 2].filter((each) => open.has(`${'ABC'[i]} ${each}`));
          if (visited.length === 0) expect(site).toBe(0);
          else expect(visited).toContain(site);
        });
      }
    }),
  );
});
