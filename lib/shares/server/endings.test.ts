import { expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import { addLoad, changeLoad, endLoad, removeLoad } from '@/lib/loads/server/loads';
import { addSite } from '@/lib/sites/server/sites';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { START_MS, createRandom } from '@/testing/motion/fixes';
import { createBasemap } from '@/testing/map/create-basemap';
import { RecordedFeed } from '@/testing/shares/recorded-feed';
import { ANN, setUpShares, tokenOf } from '@/testing/shares/shares';
import type { ShareEnd, ShareInput } from '../schema';
import type { SharedItem } from '../view';
import { addCalendar } from './calendars';
import { ShareAnswers } from './page/answer';
import type { ShareReader } from './read-share';
import { addShare } from './shares';
import { hashToken } from './token';

const DEGREES_PER_M = 1 / 111_195.08;

/** What ends a link of each batch in turn. */
interface RuleEnd {
  on?: ShareEnd;
  /** Null: the last one. */
  stop?: number;
  isOfSite?: boolean;
  /** It ends by a time too, whichever comes first. */
  hasTime?: boolean;
  /** What someone does to its load meanwhile. */
  act?: 'end' | 'remove';
}
const RULES = {
  ...{ arrival: { on: 'arrival' }, firstArrival: { on: 'arrival', stop: 0 } },
  ...{ departure: { on: 'departure' }, firstDeparture: { on: 'departure', stop: 0 } },
  ...{ delivery: { on: 'delivery' }, time: { hasTime: true } },
  ...{ hand: { hasTime: true, act: 'end' }, removal: { hasTime: true, act: 'remove' } },
  ...{ siteArrival: { on: 'arrival', isOfSite: true }, siteDeparture: { on: 'departure', isOfSite: true } },
  arrivalOrTime: { on: 'arrival', hasTime: true },
  siteDepartureOrTime: { on: 'departure', isOfSite: true, hasTime: true },
} as const satisfies Record<string, RuleEnd>;
type Rule = keyof typeof RULES;
const RULE_NAMES = Object.keys(RULES) as Rule[];
const endOf = (rule: Rule): RuleEnd => RULES[rule];
/** Endings by each rule, in so many tests. */
const ENDINGS = 1000;
const PARTS = 10;
const BATCH = 4 * RULE_NAMES.length;

const held = setUpShares();

/** Meters north: where the first stop and the last one are. */
const [FIRST_M, LAST_M] = [0, 6000];
const RADIUS_M = 400;

/** At the end of its track a truck reports with each poll. */
const CERTAIN = 26;
/** A truck goes no farther from poll to poll, but for a jump now and then. */
const STEP_M = 700;

/** Where a truck is, poll by poll: about its first stop, on the way, about its last one, and away. `hasJumps`: now and then farther than it can drive. */
const createTrack = (random: () => number, hasJumps: boolean): number[] => {
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
    const isJump = hasJumps && random() < 0.02;
    for (let at = track.at(-1) ?? target; !isJump && Math.abs(target - at) > STEP_M;) {
      at += Math.sign(target - at) * STEP_M;
      track.push(at);
    }
    track.push(target);
  }
  return track;
};

interface Truck {
  /** Its keys, the newest last: a device's until its VIN is known. */
  keys: string[];
  /** Its VIN becomes known with this poll, or with the next one after its device was seen; -1: from the beginning. */
  knownAt: number;
  isSeen: boolean;
  vin: string;
  lng: number;
  track: number[];
  /** The last fix that its device gave the provider. */
  unit: TrackedUnit | null;
}

interface Shown {
  at: string;
  item: SharedItem;
}

const keyOf = ({ keys }: Truck): string => keys.at(-1)!;

interface Case {
  /** It is about another load of the trucks of the case before. */
  isSecond: boolean;
  rule: Rule;
  link: string;
  showsEnd: boolean;
  /** Of its last stop; null: that is no site. */
  calendar: string | null;
  loadId: number | null;
  input: LoadInput | null;
  trucks: [Truck, Truck];
  /** The poll before which someone ends it, or changes its truck; -1: no one does. */
  actsAt: number;
  swapsAt: number;
  shown: Shown[];
  /** Entity tags of the pages that were sent, and what chat programs keep of them. */
  tags: string[];
  heads: Set<string>;
  /** Times of fixes in pages. */
  ages: number[];
  isEnded: boolean;
  endedMs: number | null;
}

const reportOf = (truck: Truck, northM: number, fixMs: number): TrackedUnit => {
  const { lng, vin } = truck;
  const min = (fixMs - START_MS) / MINUTE_MS;
  return unitAt(keyOf(truck), min, 0, {
    identity: identityOf(keyOf(truck), { deviceId: vin }),
    position: { lat: 35 + northM * DEGREES_PER_M, lng },
    fixAtMs: fixMs,
  });
};

/** What the provider answers of a truck: its newest fix, an older one, the same again, or nothing. */
const answerOf = (truck: Truck, poll: number, random: () => number): TrackedUnit | null => {
  const northM = truck.track[Math.min(poll, truck.track.length - 1)]!;
  if (truck.knownAt >= 0 && poll >= truck.knownAt && truck.isSeen && truck.keys.length === 1) {
    truck.keys.push(truck.vin);
    if (truck.unit) truck.unit = { ...truck.unit, identity: identityOf(truck.vin, { deviceId: truck.vin }) };
  }
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

/** Most links are exact ones without a delay, which show the most. */
const createChoices = (random: () => number): Pick<ShareInput, 'precision' | 'delayMin' | 'showsEnd'> => {
  const chance = random();
  return {
    precision: chance < 0.1 ? 'area' : chance < 0.2 ? 'town' : 'exact',
    delayMin: random() < 0.2 ? 15 : 0,
    showsEnd: random() < 0.8,
  };
};

const shareOf = (
  rule: Rule,
  about: { loadId: number | null; unit: string; siteId: number | null; endsMs: number },
): Omit<ShareInput, 'precision' | 'delayMin' | 'showsEnd'> => {
  const { on = null, stop = null, isOfSite = false, hasTime = false } = endOf(rule);
  return {
    ...{ recipient: 'Kroger', fields: ['status', 'heading', 'window', 'stops', 'trail'] },
    items: [{ loadId: about.loadId, unit: isOfSite ? about.unit : null, alias: '' }],
    ...{ endsMs: hasTime ? about.endsMs : null, endsOn: on, endsAtStop: stop },
    endsAtSite: isOfSite ? about.siteId : null,
    frameOrigins: [],
  };
};

const addYard = async (usdot: string, index: number, lng: number): Promise<number> => {
  const shape = { type: 'circle' as const, lat: 35 + LAST_M * DEGREES_PER_M, lng, radiusM: RADIUS_M };
  const yard = { name: `Yard ${index}`, kind: 'yard' as const, color: '#336699', notes: '' };
  const site = { ...yard, openingHours: null, marginM: 75, shape };
  return (await addSite({ ...held.by(ANN), history: null }, usdot, site)).id;
};

const createTruck = (vin: string, lng: number, random: () => number): Truck => {
  const knownAt = random() < 0.2 ? 2 + Math.floor(random() * 40) : -1;
  const keys = [knownAt < 0 ? vin : `device:${vin}`];
  // A truck that jumps as its VIN becomes known is taken for another one.
  const track = createTrack(random, knownAt < 0);
  return { keys, knownAt, isSeen: false, vin, lng, track, unit: null };
};

/** `first`: a case whose trucks have another load at the same time. */
const createCase = async (
  usdot: string,
  index: number,
  random: () => number,
  first: Case | null = null,
): Promise<Case> => {
  const rule = RULE_NAMES[index % RULE_NAMES.length]!;
  const { isOfSite, hasTime, act } = endOf(rule);
  const lng = first?.trucks[0].lng ?? -101.004 - 0.1 * index;
  const trucks =
    first?.trucks ??
    (['A', 'B'].map((letter) => createTruck(`${letter}${index}`, lng, random)) as [Truck, Truck]);
  const unit = keyOf(trucks[0]);
  // A load of each rule has its last stop at a site, which has a calendar.
  const isWithYard = isOfSite || index < RULE_NAMES.length;
  const siteId = isWithYard && first === null ? await addYard(usdot, index, lng) : null;
  let loadId: number | null = null;
  let input: LoadInput | null = null;
  let calendar: string | null = null;
  if (!isOfSite) {
    input = loadInputSchema.parse({
      ...{ reference: `L${index}${first ? ' too' : ''}`, unit },
      stops: [FIRST_M, LAST_M].map((northM, i) => ({
        ...{ kind: i === 0 ? 'pickup' : 'delivery', siteId: i === 0 ? null : siteId, appointment: null },
        place:
          i === 1 && siteId !== null
            ? null
            : { name: `Dock ${i}`, lat: 35 + northM * DEGREES_PER_M, lng, radiusM: RADIUS_M },
      })),
    });
    ({ id: loadId } = await addLoad(held.by(ANN), usdot, input));
    if (siteId !== null) {
      const dock = { siteId, recipient: 'Dock', language: 'en', showsTruck: true, endsMs: null } as const;
      calendar = (await addCalendar(held.by(ANN), usdot, dock)).link.split('/')[2]!;
    }
  }
  const actsAt = 4 + Math.floor(random() * (hasTime && act === undefined && rule !== 'time' ? 50 : 10));
  const endsMs = held.nowMs + actsAt * 40 * SECOND_MS;
  const choices = createChoices(random);
  const share = { ...shareOf(rule, { loadId, unit, siteId, endsMs }), ...choices };
  const { link } = await addShare(held.by(ANN), usdot, share);
  const swapsAt = !isOfSite && random() < 0.3 ? 3 + Math.floor(random() * 8) : -1;
  return {
    isSecond: first !== null,
    ...{ rule, link, calendar, loadId, input, trucks, swapsAt, actsAt, showsEnd: choices.showsEnd },
    ...{ shown: [], tags: [], heads: new Set(), ages: [], isEnded: false, endedMs: null },
  };
};

/** Has someone change the truck of a load, end it or remove it; true: the feed reads its loads again. */
const act = async (usdot: string, each: Case, poll: number): Promise<boolean> => {
  const { rule, loadId, input, trucks, actsAt, swapsAt, isEnded } = each;
  if (loadId === null || isEnded) return false;
  const by = endOf(rule).act;
  if (poll === actsAt && by) await (by === 'end' ? endLoad : removeLoad)(held.by(ANN), usdot, loadId);
  else if (poll === swapsAt)
    await changeLoad(held.by(ANN), usdot, loadId, { ...input!, unit: keyOf(trucks[1]) });
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

const answers = new ShareAnswers(async () => ({ map: createBasemap([], []), findPlace: () => null }));
let asked = 0;

/** The page of a link as it is sent, to a client of its own that has the page of an entity tag. */
const openPage = (reader: ShareReader, link: string, tag: string | null): Promise<Response> =>
  answers.answer(
    {
      shares: reader,
      clock: {
        nowMs: () => held.nowMs,
        monotonicMs: () => held.elapsedMs,
        setTimer: (run) => {
          queueMicrotask(run);
          return () => undefined;
        },
      },
      log: {
        error: (fields: unknown) => {
          throw new Error('A page could not be shown.', { cause: fields });
        },
      },
    },
    {
      method: 'GET',
      url: `http://localhost${link}?again=${held.nowMs}`,
      headers: new Headers(tag === null ? {} : { 'if-none-match': tag }),
    },
    { token: tokenOf({ link }), address: `client ${++asked}` },
  );

/** Compares the page of a link with what its reader answers at the same moment, and notes what is in it. */
const checkPage = async (reader: ShareReader, each: Case, about: string): Promise<void> => {
  const { link, tags, heads, ages, isEnded, showsEnd } = each;
  const response = await openPage(reader, link, tags.at(-1) ?? null);
  const text = await response.text();
  if (!isEnded) {
    const tag = response.headers.get('etag')!;
    expect([response.status, tag === tags.at(-1)], about).toEqual(
      response.status === 304 ? [304, true] : [200, false],
    );
    tags.push(tag);
    if (response.status === 304) return;
    const head = text.split('<main')[0]!;
    heads.add(head.replaceAll(tag.slice(1, -1), '').replace(/again=\d+/, ''));
    for (const [, ms] of text.matchAll(/data-age="(\d+)"/g)) ages.push(Number(ms));
    return;
  }
  expect([response.status, response.headers.get('etag')], about).toEqual([showsEnd ? 410 : 404, null]);
  expect(text, about).not.toMatch(/data-(age|now|until|tag)=|<svg|<script|Dock|L\d/);
  // Pages that were sent before are not confirmed any more, not even the first one.
  for (const tag of [tags[0], '*'])
    expect((await openPage(reader, link, tag ?? null)).status, about).toBe(response.status);
  if (showsEnd) return;
  const unknown = await openPage(reader, `/t/${'A'.repeat(27)}`, null);
  expect([[...response.headers], text], about).toEqual([[...unknown.headers], await unknown.text()]);
};

/** Notes what a link shows now; once it has ended, that it goes on to show nothing else. */
const check = async (reader: ShareReader, each: Case, about: string, hasPage: boolean): Promise<void> => {
  const answer = await reader.read(tokenOf(each), { address: '203.0.113.7', isOpening: false });
  if (answer.kind === 'open') {
    expect(each.isEnded, about).toBe(false);
    each.shown.push({ at: about, item: answer.view.items[0]! });
  } else if (answer.kind === 'ended') {
    expect([each.showsEnd, answer.carrier], about).toEqual([true, 'Peach State Freight']);
    // An arrival, departure or delivery before its time is judged some minutes later; any other end stays as it is.
    if (endOf(each.rule).hasTime) expect(answer.endedMs, about).toBeLessThanOrEqual(each.endedMs ?? Infinity);
    else if (each.endedMs !== null) expect(answer.endedMs, about).toBe(each.endedMs);
    each.endedMs = answer.endedMs;
  } else expect(each.showsEnd, about).toBe(false);
  const isNew = answer.kind !== 'open' && !each.isEnded;
  each.isEnded = answer.kind !== 'open';
  if (hasPage || isNew) await checkPage(reader, each, about);
};

/** A calendar has a load until it has ended, and no position. */
const checkCalendar = async (
  reader: ShareReader,
  { calendar, loadId }: Case,
  about: string,
): Promise<void> => {
  if (calendar === null) return;
  // What it shows is read each half minute.
  held.elapsedMs += 31 * SECOND_MS;
  const text = await reader.readCalendar(calendar, '203.0.113.7');
  expect(text, about).not.toMatch(/35\.\d|-10[1-6]\.\d|GEO/);
  const { rowCount } = await held.pool.query(
    'select from linehaul.loads where id = $1 and ended_ms is null',
    [loadId],
  );
  if (rowCount === 0) expect(text, about).not.toContain('VEVENT');
};

/** When a link ended that does not say so. */
const readEndedMs = async (link: string): Promise<number | null> => {
  const { rows } = await held.pool.query<{ ms: number | null }>(
    `select least(s.ends_ms, i.ended_ms)::float8 as ms from linehaul.shares s join linehaul.share_items i on i.share_id = s.id
     where s.token_hash = $1`,
    [hashToken(tokenOf({ link }))],
  );
  return rows[0]!.ms;
};

const runBatch = async (seed: number, count: number): Promise<Map<Rule, number>> => {
  const random = createRandom(seed);
  const usdot = String(1_000_000 + seed);
  // Each batch is a fleet of its own, in the same hours: what is recorded of those before is in no one's way.
  held.nowMs = START_MS;
  await held.pool.query('truncate linehaul.fixes, linehaul.states');
  const feed = new RecordedFeed(held.pool, usdot);
  await feed.start(held.nowMs);
  const cases: Case[] = [];
  for (let i = 0; i < count; i++) {
    cases.push(await createCase(usdot, i, random));
    const { loadId } = cases.at(-1)!;
    if (loadId !== null && random() < 0.2) cases.push(await createCase(usdot, i, random, cases.at(-1)!));
  }
  await feed.readAgain(held.nowMs);
  const lastPoll = Math.max(...cases.flatMap(({ trucks }) => trucks.map(({ track }) => track.length))) + 14;
  /** When each truck was where it was, by its rounded latitude. */
  const seenAt = new Map<string, number>();
  // Two servers, of which one keeps what it answered while the other is asked.
  let readers = [held.createReader(), held.createReader()] as const;
  for (let poll = 0; poll <= lastPoll; poll++) {
    const stepMs = (20 + Math.floor(random() * 40)) * SECOND_MS;
    held.nowMs += stepMs;
    let isChanged = false;
    for (const each of cases) isChanged = (await act(usdot, each, poll)) || isChanged;
    if (isChanged) await feed.readAgain(held.nowMs);
    // A restart, or another server that takes the fleet over.
    if (random() < 0.12) {
      await feed.start(held.nowMs);
      readers = [held.createReader(), held.createReader()];
    }
    const units = cases
      .filter(({ isSecond }) => !isSecond)
      .flatMap(({ trucks }) => trucks.flatMap((truck) => answerOf(truck, poll, random) ?? []));
    for (const { identity, position, fixAtMs } of units) {
      const key = `${identity.key} ${position!.lat.toFixed(5)}`;
      seenAt.set(key, Math.min(seenAt.get(key) ?? Infinity, fixAtMs!));
    }
    const isFailing = random() < 0.06;
    await feed.poll(isFailing ? null : units, held.nowMs);
    if (!isFailing)
      for (const truck of cases.flatMap((each) => each.trucks))
        truck.isSeen ||= units.some(({ identity }) => identity.key === keyOf(truck));
    // What a server answered may be kept for some seconds, whether a link goes on for one.
    held.elapsedMs += random() < 0.3 ? (1 + Math.floor(random() * 4)) * SECOND_MS : stepMs;
    const isLast = poll === lastPoll;
    const due = cases.filter(({ isEnded }) => !isEnded || isLast || random() < 0.2);
    const asks = due.map((each) => ({
      each,
      reader: readers[random() < 0.7 ? 0 : 1],
      hasPage: isLast || random() < 0.15,
    }));
    await Promise.all(
      readers.map(async (reader) => {
        for (const { each, hasPage } of asks.filter((ask) => ask.reader === reader))
          await check(reader, each, `${each.rule} of batch ${seed}, poll ${poll}`, hasPage);
      }),
    );
    const calendar = cases[Math.floor(random() * RULE_NAMES.length)]!;
    for (const each of isLast ? cases : [calendar])
      await checkCalendar(readers[0], each, `calendar of ${each.rule} of batch ${seed}, poll ${poll}`);
  }
  const ended = new Map<Rule, number>();
  for (const { rule, link, trucks, shown, heads, ages, isEnded, ...each } of cases) {
    const about = `${rule} of batch ${seed}`;
    expect(isEnded, about).toBe(true);
    const endedMs = each.endedMs ?? (await readEndedMs(link));
    expect(endedMs, about).not.toBeNull();
    ended.set(rule, (ended.get(rule) ?? 0) + 1);
    for (const { at, item } of shown) {
      for (const ms of timesOf(item))
        expect(ms, `${at}: ${JSON.stringify(item)}`).toBeLessThanOrEqual(endedMs!);
      for (const { lat } of item.trail) {
        const times = trucks.flatMap(({ keys }) =>
          keys.map((key) => seenAt.get(`${key} ${lat.toFixed(5)}`) ?? Infinity),
        );
        expect(Math.min(...times), `trail of ${at}`).toBeLessThanOrEqual(endedMs!);
      }
    }
    expect(Math.max(0, ...ages), `pages of ${about}`).toBeLessThanOrEqual(endedMs!);
    // The same whatever is shown: a chat program keeps it.
    expect(heads.size, `heads of ${about}`).toBeLessThanOrEqual(1);
  }
  return ended;
};

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  'of a thousand endings by each rule nothing is shown that is later than the end: tenth %i',
  async (part) => {
    const total = new Map<Rule, number>(RULE_NAMES.map((rule) => [rule, 0]));
    for (let seed = 1000 * part; Math.min(...total.values()) < ENDINGS / PARTS; seed++)
      for (const [rule, count] of await runBatch(seed, BATCH)) total.set(rule, total.get(rule)! + count);
  },
  120 * MINUTE_MS,
);
