import { expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import { addLoad, changeLoad, endLoad, removeLoad } from '@/lib/loads/server/loads';
import { addSite } from '@/lib/sites/server/sites';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { unitAt } from '@/testing/live/tracked-units';
import { START_MS, createRandom } from '@/testing/motion/fixes';
import { RecordedFeed } from '@/testing/shares/recorded-feed';
import { ANN, setUpShares } from '@/testing/shares/shares';
import type { ShareInput } from '../schema';
import type { SharedItem } from '../view';
import { addShare } from './shares';

const DEGREES_PER_M = 1 / 111_195.08;

/** What ends a link of each batch in turn. */
const RULES = [
  ...([
    'arrival',
    'firstArrival',
    'departure',
    'firstDeparture',
    'delivery',
    'time',
    'hand',
    'removal',
  ] as const),
  ...(['siteArrival', 'siteDeparture'] as const),
];
type Rule = (typeof RULES)[number];
/** Endings by each rule. */
const ENDINGS = 1000;
const BATCH = 40;

const held = setUpShares();

/** Meters north: where the first stop and the last one are. */
const [FIRST_M, LAST_M] = [0, 6000];
const RADIUS_M = 400;

/** At the end of its track a truck reports with each poll. */
const CERTAIN = 26;
/** A truck goes no farther from poll to poll, but for a jump now and then. */
const STEP_M = 700;

/** Where a truck is, poll by poll: about its first stop, on the way, about its last one, and away. */
const createTrack = (random: () => number): number[] => {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  /** Inside, at the edge, within the margin, just beyond it and near, on either side, for some polls each. */
  const about = (centerM: number): number[] =>
    Array.from({ length: 3 + Math.floor(random() * 4) }, () => {
      const offM = pick([0, 0, 380, 430, 460, 490, 520, 700]) * pick([1, -1]);
      return Array.from({ length: pick([1, 1, 2, 3]) }, () => centerM + offM);
    }).flat();
  const targets = [
    ...(random() < 0.7 ? [-600, ...about(FIRST_M)] : [-600]),
    ...about(LAST_M),
    // It stands there at last and leaves, so that each rule ends its link.
    ...Array.from({ length: CERTAIN - 8 }, () => LAST_M),
    ...Array.from({ length: 8 }, (_, i) => LAST_M + STEP_M * (i + 1)),
  ];
  const track: number[] = [];
  for (const target of targets) {
    const isJump = random() < 0.02;
    for (let at = track.at(-1) ?? target; !isJump && Math.abs(target - at) > STEP_M;) {
      at += Math.sign(target - at) * STEP_M;
      track.push(at);
    }
    track.push(target);
  }
  return track;
};

interface Truck {
  key: string;
  lng: number;
  track: number[];
  /** The last fix that its device gave the provider. */
  unit: TrackedUnit | null;
}

interface Shown {
  at: string;
  item: SharedItem;
}

interface Case {
  rule: Rule;
  link: string;
  loadId: number | null;
  input: LoadInput | null;
  trucks: [Truck, Truck];
  /** The poll before which someone ends it, or changes its truck; -1: no one does. */
  actsAt: number;
  swapsAt: number;
  shown: Shown[];
  endedMs: number | null;
}

const reportOf = (truck: Truck, northM: number, fixMs: number): TrackedUnit => {
  const { lng, key } = truck;
  const min = (fixMs - START_MS) / MINUTE_MS;
  return unitAt(key, min, 0, { position: { lat: 35 + northM * DEGREES_PER_M, lng }, fixAtMs: fixMs });
};

/** What the provider answers of a truck: its newest fix, an older one, the same again, or nothing. */
const answerOf = (truck: Truck, poll: number, random: () => number): TrackedUnit | null => {
  const northM = truck.track[Math.min(poll, truck.track.length - 1)]!;
  const chance = poll >= truck.track.length - CERTAIN ? 0 : random();
  const fix = (agoMs: number) =>
    reportOf(truck, northM, Math.floor((held.nowMs - agoMs) / SECOND_MS) * SECOND_MS);
  if (chance < 0.7) truck.unit = fix(3 * SECOND_MS);
  else if (chance < 0.8) truck.unit = fix(50 * SECOND_MS);
  // Out of order: the newest fix stays that of a later poll.
  else if (chance < 0.87) return fix(4 * MINUTE_MS);
  else if (chance < 0.9) return null;
  return truck.unit;
};

const shareOf = (
  rule: Rule,
  about: { loadId: number | null; unit: string | null; siteId: number | null; endsMs: number },
): ShareInput => {
  const isOfSite = rule.startsWith('site');
  const on = /arrival$/i.test(rule)
    ? 'arrival'
    : /departure$/i.test(rule)
      ? 'departure'
      : rule === 'delivery'
        ? 'delivery'
        : null;
  return {
    ...{
      recipient: 'Kroger',
      precision: 'exact',
      fields: ['status', 'heading', 'window', 'stops', 'trail'],
      delayMin: 0,
    },
    items: [{ loadId: isOfSite ? null : about.loadId, unit: isOfSite ? about.unit : null, alias: '' }],
    endsMs: on === null ? about.endsMs : null,
    endsOn: on,
    endsAtStop: rule.startsWith('first') ? 0 : null,
    endsAtSite: isOfSite ? about.siteId : null,
    ...{ showsEnd: true, frameOrigins: [] },
  };
};

const createCase = async (usdot: string, index: number, random: () => number): Promise<Case> => {
  const rule = RULES[index % RULES.length]!;
  const lng = -101.004 - 0.1 * index;
  const trucks = ['A', 'B'].map((letter): Truck => ({
    key: `${letter}${index}`,
    lng,
    track: createTrack(random),
    unit: null,
  })) as [Truck, Truck];
  const unit = trucks[0].key;
  const isOfSite = rule.startsWith('site');
  let siteId: number | null = null;
  let loadId: number | null = null;
  let input: LoadInput | null = null;
  if (isOfSite) {
    const shape = { type: 'circle' as const, lat: 35 + LAST_M * DEGREES_PER_M, lng, radiusM: RADIUS_M };
    const site = {
      name: `Yard ${index}`,
      kind: 'yard' as const,
      color: '#336699',
      notes: '',
      openingHours: null,
      marginM: 75,
      shape,
    };
    ({ id: siteId } = await addSite({ ...held.by(ANN), history: null }, usdot, site));
  } else {
    input = loadInputSchema.parse({
      ...{ reference: `L${index}`, unit },
      stops: [FIRST_M, LAST_M].map((northM, i) => ({
        ...{ kind: i === 0 ? 'pickup' : 'delivery', siteId: null, appointment: null },
        place: { name: `Dock ${i}`, lat: 35 + northM * DEGREES_PER_M, lng, radiusM: RADIUS_M },
      })),
    });
    ({ id: loadId } = await addLoad(held.by(ANN), usdot, input));
  }
  const actsAt = 4 + Math.floor(random() * 10);
  const endsMs = held.nowMs + actsAt * 40 * SECOND_MS;
  const { link } = await addShare(held.by(ANN), usdot, shareOf(rule, { loadId, unit, siteId, endsMs }));
  const swapsAt = !isOfSite && random() < 0.3 ? 3 + Math.floor(random() * 8) : -1;
  return {
    ...{ rule, link, loadId, input, trucks, swapsAt, shown: [], endedMs: null },
    actsAt,
  };
};

/** Has someone change the truck of a load, end it or remove it; true: the feed reads its loads again. */
const act = async (
  usdot: string,
  { rule, loadId, input, trucks, actsAt, swapsAt, endedMs }: Case,
  poll: number,
): Promise<boolean> => {
  if (loadId === null || endedMs !== null) return false;
  const isEnding = poll === actsAt && (rule === 'hand' || rule === 'removal');
  if (isEnding) await (rule === 'hand' ? endLoad : removeLoad)(held.by(ANN), usdot, loadId);
  else if (poll === swapsAt)
    await changeLoad(held.by(ANN), usdot, loadId, { ...input!, unit: trucks[1].key });
  else return false;
  return true;
};

/** The times that an item shows of what was seen, Unix ms. */
const timesOf = ({ position, status, stops }: SharedItem): number[] =>
  [
    position?.fixAtMs,
    status?.sinceMs,
    ...stops.flatMap(({ arrived, left }) => [arrived?.afterMs, arrived?.byMs, left?.afterMs, left?.byMs]),
  ].filter((ms) => ms !== null && ms !== undefined);

const runBatch = async (seed: number, count: number): Promise<Map<Rule, number>> => {
  const random = createRandom(seed);
  const usdot = String(1_000_000 + seed);
  // Each batch is a fleet of its own, in the same hours: what is recorded of those before is in no one's way.
  held.nowMs = START_MS;
  await held.pool.query('truncate linehaul.fixes, linehaul.states');
  const feed = new RecordedFeed(held.pool, usdot);
  await feed.start(held.nowMs);
  const cases: Case[] = [];
  for (let i = 0; i < count; i++) cases.push(await createCase(usdot, i, random));
  await feed.readAgain(held.nowMs);
  const lastPoll = Math.max(...cases.flatMap(({ trucks }) => trucks.map(({ track }) => track.length))) + 14;
  /** When each truck was where it was, by its rounded latitude. */
  const seenAt = new Map<string, number>();
  let reader = held.createReader();
  for (let poll = 0; poll < lastPoll; poll++) {
    held.nowMs += (20 + Math.floor(random() * 40)) * SECOND_MS;
    let isChanged = false;
    for (const each of cases) isChanged = (await act(usdot, each, poll)) || isChanged;
    if (isChanged) await feed.readAgain(held.nowMs);
    // A restart, or another server that takes the fleet over.
    if (random() < 0.12) {
      await feed.start(held.nowMs);
      reader = held.createReader();
    }
    const units = cases.flatMap(({ trucks }) =>
      trucks.flatMap((truck) => answerOf(truck, poll, random) ?? []),
    );
    for (const { identity, position, fixAtMs } of units) {
      const key = `${identity.key} ${position!.lat.toFixed(5)}`;
      seenAt.set(key, Math.min(seenAt.get(key) ?? Infinity, fixAtMs!));
    }
    await feed.poll(random() < 0.06 ? null : units, held.nowMs);
    for (const each of cases) {
      const answer = await held.show(reader, { link: each.link });
      const about = `${each.rule} of batch ${seed}, poll ${poll}`;
      if (each.endedMs !== null) {
        // An end that is known stays, and no later one replaces it.
        expect(answer, about).toEqual({
          kind: 'ended',
          carrier: 'Peach State Freight',
          endedMs: each.endedMs,
        });
      } else if (answer.kind === 'ended') each.endedMs = answer.endedMs;
      else if (answer.kind === 'open') each.shown.push({ at: about, item: answer.view.items[0]! });
      else throw new Error(`${about}: nothing is shown.`);
    }
  }
  const ended = new Map<Rule, number>();
  for (const { rule, trucks, shown, endedMs } of cases) {
    expect(endedMs, `${rule} of batch ${seed}`).not.toBeNull();
    ended.set(rule, (ended.get(rule) ?? 0) + 1);
    for (const { at, item } of shown) {
      for (const ms of timesOf(item))
        expect(ms, `${at}: ${JSON.stringify(item)}`).toBeLessThanOrEqual(endedMs!);
      for (const { lat } of item.trail) {
        const times = trucks.map(({ key }) => seenAt.get(`${key} ${lat.toFixed(5)}`) ?? Infinity);
        expect(Math.min(...times), `trail of ${at}`).toBeLessThanOrEqual(endedMs!);
      }
    }
  }
  return ended;
};

it(
  'of a thousand endings by each rule nothing is shown that is later than the end',
  async () => {
    const total = new Map<Rule, number>(RULES.map((rule) => [rule, 0]));
    for (let seed = 1; Math.min(...total.values()) < ENDINGS; seed++)
      for (const [rule, count] of await runBatch(seed, BATCH)) total.set(rule, total.get(rule)! + count);
  },
  120 * MINUTE_MS,
);
