import 'server-only';
import { sql } from 'drizzle-orm';
import { addRule } from '@/lib/alerts/server/rules';
import { listEnabledRules } from '@/lib/alerts/server/rule-repository';
import { acknowledgeAlert, listAlerts, markAlertsRead } from '@/lib/alerts/server/alerts';
import type { ActionContext } from '@/lib/audit/audit';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import { contactInputSchema } from '@/lib/contacts/contact';
import { changeContact } from '@/lib/contacts/server/contacts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { readLoads } from '@/lib/loads/server/loads';
import { truckOf } from '@/lib/loads/text';
import { addNote } from '@/lib/notes/server/notes';
import { checkTruck, findPickup } from '@/lib/pickup-check/server/checks';
import { makePickupCode } from '@/lib/pickup-check/server/codes';
import { changeTerms } from '@/lib/proof/server/detention/terms';
import type { Alert, AlertCondition, AlertRuleInput } from '@/lib/rules/alert-rule';
import type { WatchConfig } from '@/lib/rules/fleet-watch';
import type { Site, SiteInput, SiteKind } from '@/lib/rules/site';
import { SITE_COLORS } from '@/lib/sites/palette';
import { addSite } from '@/lib/sites/server/sites';
import { listWatchedSites } from '@/lib/sites/server/site-repository';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { addSampleLoads, planSampleLoads, NOT_MOVING_MS } from './sample-loads';
import { changeTags, listTags } from '@/lib/tags/server/tags';
import { saveView } from '@/lib/views/server/views';
import { wallScreens } from '@/lib/wall-screens/server/tables';
import type { DemoFleet } from '@/service/simulator/demo-fleet';
import { specimenOf, type Specimen } from '@/service/simulator/specimens';

/** Who worked with the demo fleet before its first visitor. */
export const [NIGHT_SHIFT, DAY_SHIFT] = ['Renee Ortiz', 'Sam Whitfield'];

/** Terminals of the demo fleet, where its trucks load, unload and rest. */
const TERMINALS: readonly { name: string; kind: SiteKind; at: [lat: number, lng: number]; notes: string }[] =
  [
    {
      name: 'Chicago yard',
      kind: 'yard',
      at: [41.88, -87.64],
      notes: 'Shop and trailer pool. Night gate on the south side.',
    },
    { name: 'Memphis yard', kind: 'yard', at: [35.155, -90.06], notes: 'Drop yard. Scale on site.' },
    {
      name: 'Bayou Cold Storage',
      kind: 'customer',
      at: [29.775, -95.365],
      notes: 'Reefers to the east docks. Call 30 min ahead.',
    },
    {
      name: 'Peachtree Paper',
      kind: 'customer',
      at: [33.745, -84.39],
      notes: 'Live load. Detention after two hours.',
    },
    { name: 'Union Grain', kind: 'customer', at: [39.1, -94.58], notes: 'Weigh in before the dock.' },
    { name: 'Crosstown Fuel', kind: 'fuel', at: [35.46, -97.52], notes: 'Card lanes 1 to 6. Showers.' },
  ];
const SITE_RADIUS_M = 450;
const MARGIN_M = 75;

const toSite = ({ name, kind, at: [lat, lng], notes }: (typeof TERMINALS)[number]): SiteInput => ({
  ...{ name, kind, notes, color: SITE_COLORS[kind] },
  openingHours: null,
  marginM: MARGIN_M,
  shape: { type: 'circle', lat, lng, radiusM: SITE_RADIUS_M },
});
export const SAMPLE_SITES = TERMINALS.map(toSite);

const [REEFER, DEDICATED, FREE] = ['reefer', 'dedicated', 'free'];

/** Without a cool-down: each case opens an alert when it begins. */
const toRule = (
  name: string,
  condition: AlertCondition,
  severity: AlertRuleInput['severity'],
  tag?: string,
): AlertRuleInput => ({
  ...{ name, condition, severity, coolDownMin: 0 },
  units: tag === undefined ? { type: 'all' } : { type: 'tags', tags: [tag] },
  schedule: null,
  isEnabled: true,
  isOwn: false,
});

/** The rules of the demo fleet, about its sites. */
export const listSampleRules = (sites: readonly Site[]): AlertRuleInput[] => {
  const idsOf = (kind: SiteKind) => sites.filter((site) => site.kind === kind).map(({ id }) => id);
  return [
    toRule('Vanished on the road', { kind: 'vanishes' }, 'critical'),
    toRule(
      'Over 2 hours at a customer',
      { kind: 'stays', siteIds: idsOf('customer'), forMin: 120 },
      'warning',
    ),
    toRule('Reefer silent for an hour', { kind: 'silent', forMin: 60 }, 'warning', REEFER),
    toRule('Back at a yard', { kind: 'arrives', siteIds: idsOf('yard') }, 'info', DEDICATED),
    toRule('Load will be late', { kind: 'loadWillBeLate' }, 'critical'),
    toRule('Free time runs out', { kind: 'freeTimeEnds', inMin: 30 }, 'warning'),
    toRule('Wrong truck at a pickup', { kind: 'wrongTruck' }, 'critical'),
    toRule(
      'Load not moving for an hour',
      { kind: 'loadNotMoving', forMin: NOT_MOVING_MS / MINUTE_MS },
      'info',
    ),
  ];
};

/** What the dispatchers wrote when they took an alert that is open yet, by its kind, the newest first. */
const TAKEN_OPEN: Partial<Record<AlertCondition['kind'], readonly string[]>> = {
  vanishes: ['Left a message for the driver.', 'Shipper says it left the dock on time.'],
  stays: ['Dock is an hour behind. Told the customer about detention.'],
  silent: ['Device is loose. Shop looks at it in Chicago.', 'Parked for a 34-hour restart.'],
  loadWillBeLate: ['Told the receiver. Asked for a work-in.'],
  loadNotMoving: ['Driver is on his ten hours.'],
};
/** The same of alerts that are closed. */
const TAKEN: typeof TAKEN_OPEN = {
  vanishes: [
    'Driver called in: dead zone.',
    'Phone was off. He is on time.',
    'Antenna was loose; fixed at a stop.',
  ],
  stays: ['Paperwork was missing.', 'Detention is billed.', 'Lumper came late.'],
  silent: ['Reefer at 34°F by the driver’s word.', 'Battery was changed in Memphis.'],
  arrives: ['Driver goes home for the weekend.'],
};
/** A user took an alert this long after it was opened. */
const TAKEN_AFTER_MS = 9 * MINUTE_MS;
const SHIFT_MS = 8 * HOUR_MS;

export type SampleContext = Pick<ActionContext, 'database' | 'clock'>;

/** The tables of what people keep about a fleet. */
const KEPT_TABLES = [
  ...['detention_statements', 'detention_dismissals', 'detention_terms', 'loads', 'load_keys'],
  ...['unit_notes', 'unit_tags', 'unit_contacts', 'free_tags', 'saved_views', 'fleet_readers'],
  ...['alert_reads', 'alerts', 'alert_rules', 'webhooks', 'sites', 'handover_mails', 'report_mails'],
];

/**
 * Removes all that is kept about the demo fleet, by its users too, and the wall screens that show it alone; others show it no
 * more. Returns the ids of these screens.
 */
export const removeKept = async (
  { database }: Pick<ActionContext, 'database'>,
  usdot: string,
): Promise<string[]> => {
  const { orm } = await database.open();
  return orm.transaction(async (tx) => {
    for (const table of KEPT_TABLES)
      await tx.execute(sql`DELETE FROM linehaul.${sql.identifier(table)} WHERE usdot = ${usdot}`);
    const { id, usdots } = wallScreens;
    const ended = await tx
      .delete(wallScreens)
      .where(sql`${usdots} = ARRAY[${usdot}]`)
      .returning({ id });
    const changed = await tx
      .update(wallScreens)
      .set({ usdots: sql`array_remove(${usdots}, ${usdot})` })
      .where(sql`${usdot} = ANY(${usdots})`)
      .returning({ id });
    return [...ended, ...changed].map((screen) => screen.id);
  });
};

/** The context of what one of the dispatchers did at a moment. */
export const toContext = ({ clock, ...server }: SampleContext, name = DAY_SHIFT, atMs = clock.nowMs()) => ({
  ...server,
  viewer: { ...DEMO_VIEWER, name },
  client: { address: '127.0.0.1' },
  clock: { nowMs: () => atMs },
  // Its visits are found as the past is made.
  history: null,
  // The audit log has what people did on this server.
  audit: { record: async () => undefined },
});

/**
 * Adds sites, rules and tags to a demo fleet that has none, before its past is made by them; returns what it is watched for,
 * and whether it was made here.
 */
export const addWatchedSamples = async (
  server: SampleContext,
  { fleet, usdot, fromMs }: { fleet: DemoFleet; usdot: string; fromMs: number },
): Promise<{ config: WatchConfig; isNew: boolean }> => {
  const { orm, pool } = await server.database.open();
  const readConfig = async (): Promise<WatchConfig> => ({
    sites: await listWatchedSites(orm, usdot),
    loads: await readWatchedLoads(pool, usdot),
    rules: await listEnabledRules(orm, usdot),
    tags: Object.fromEntries((await listTags(orm, usdot, DEMO_VIEWER)).map(({ tag, units }) => [tag, units])),
  });
  const before = await readConfig();
  if (before.sites.length + before.rules.length + Object.keys(before.tags).length > 0)
    return { config: before, isNew: false };
  const context = toContext(server, DAY_SHIFT, fromMs);
  const sites: Site[] = [];
  for (const site of SAMPLE_SITES) sites.push(await addSite(context, usdot, site));
  // Of a small fleet no truck may have one.
  const tagged = Object.entries(toSampleTags(fleet, server.clock.nowMs())).filter(
    ([, units]) => units.length > 0,
  );
  const tags = new Set(tagged.map(([tag]) => tag));
  for (const [tag, units] of tagged) await changeTags(context, usdot, { change: 'add', tag, units });
  for (const rule of listSampleRules(sites))
    if (rule.units.type !== 'tags' || rule.units.tags.every((tag) => tags.has(tag)))
      await addRule(context, usdot, rule);
  if (tags.has(FREE)) await changeTags(context, usdot, { change: 'free', has: [FREE], not: [] });
  const planned = planSampleLoads(fleet, { fromMs, nowMs: server.clock.nowMs() });
  await addSampleLoads(planned, { usdot, sites }, (atMs) => toContext(server, DAY_SHIFT, atMs));
  return { config: await readConfig(), isNew: true };
};

/** Trucks without a fault, by their numbers in the fleet. */
const listPlain = ({ vehicles }: DemoFleet): number[] =>
  vehicles.flatMap((_, unit) => (specimenOf(unit) === null ? [unit] : []));

const MOST_FREE = 24;

const isDedicated = (unit: number): boolean => unit % 12 === 2;

/** The VINs of each tag. */
export const toSampleTags = (fleet: DemoFleet, nowMs: number): Record<string, string[]> => {
  const plain = listPlain(fleet);
  const vinsOf = (units: readonly number[]) => units.map((unit) => fleet.vehicles[unit]!.vin);
  const isFree = (unit: number) => !fleet.stateAt(unit, nowMs).isDriving;
  return {
    [REEFER]: vinsOf(fleet.vehicles.flatMap((_, unit) => (unit % 3 === 0 ? [unit] : []))),
    flatbed: vinsOf(plain.filter((unit) => unit % 6 === 1)),
    [DEDICATED]: vinsOf(plain.filter(isDedicated)),
    [FREE]: vinsOf(plain.filter(isFree).slice(0, MOST_FREE)),
  };
};

/** Writes what the dispatchers of the last shifts left behind, besides the open alerts that they took: notes, contacts and a view. */
export const addSampleWork = async (
  server: SampleContext,
  { fleet, usdot, secret }: { fleet: DemoFleet; usdot: string; secret: string },
): Promise<void> => {
  await takeSampleAlerts(server, { usdot }, false);
  await writeNotes(server, fleet, usdot);
  await writeContacts(server, fleet, usdot);
  await changeTerms(toContext(server), usdot, {
    ...{ of: 'fleet', customer: null, siteId: null, loadId: null },
    terms: { freeMin: 120, countedFrom: 'appointment', rateCents: 6000, stepMin: 15, capCents: 60_000 },
  });
  await addSampleChecks(server, { fleet, usdot, secret });
  await saveView(toContext(server), usdot, {
    name: 'Reefers to watch',
    search: '?status=late,silent,check&tag=reefer',
    isShared: true,
    isStart: false,
  });
};

/** When the dock checked trucks: another one before the alert about it would still be open, and the right one twice. */
const CHECKED_AGO_MS = { other: 80 * MINUTE_MS, byVin: 6 * MINUTE_MS, byNumber: 5 * MINUTE_MS };

/** Gives a load whose truck is at its pickup a code, by which the dock has checked trucks. */
const addSampleChecks = async (
  server: SampleContext,
  { fleet, usdot, secret }: { fleet: DemoFleet; usdot: string; secret: string },
): Promise<void> => {
  const nowMs = server.clock.nowMs();
  const { pool } = await server.database.open();
  const loads = await readLoads(pool, usdot, { endedAfterMs: nowMs, nowMs });
  const load = loads.find(({ state, next }) => state === 'atPickup' && next !== null);
  const truck = load && fleet.vehicles.find(({ vin }) => vin === truckOf(load));
  const other = fleet.vehicles.find(({ vin }) => vin !== truck?.vin);
  if (!load || !truck || !other) return;
  const by = {
    ...toContext(server, DAY_SHIFT, nowMs - 2 * HOUR_MS),
    shares: { secret },
    env: { publicUrl: null },
  };
  const { code } = await makePickupCode(by, usdot, load.id);
  for (const [agoMs, typed] of [
    [CHECKED_AGO_MS.other, other.vin.slice(-8)],
    [CHECKED_AGO_MS.byVin, truck.vin.slice(-8)],
    [CHECKED_AGO_MS.byNumber, truck.truckNumber ?? truck.vin],
  ] as const) {
    const at = { database: server.database, clock: { nowMs: () => nowMs - agoMs } };
    const pickup = await findPickup(at, code);
    if (pickup !== null) await checkTruck(at, pickup, typed);
  }
};

/** Alerts of the past that are open, or those that are not, newest first. */
const readAlerts = async (server: SampleContext, usdot: string, isOpen: boolean): Promise<Alert[]> => {
  const context = { ...toContext(server), history: {} };
  const alerts: Alert[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await listAlerts(context, usdot, { before: alerts.at(-1)?.id });
    alerts.push(...page.alerts);
    ({ hasMore } = page);
  }
  return alerts.filter(({ closedMs }) => (closedMs === null) === isOpen);
};

/**
 * The dispatchers took half of the open alerts, the older ones, and of the last two shifts' closed ones most. Each note is
 * written once.
 */
export const takeSampleAlerts = async (
  server: SampleContext,
  { usdot }: { usdot: string },
  isOpen: boolean,
): Promise<void> => {
  const nowMs = server.clock.nowMs();
  const alerts = await readAlerts(server, usdot, isOpen);
  const first = isOpen ? Math.ceil(alerts.length / 2) : 0;
  const seenId = alerts[first]?.id;
  if (isOpen && seenId !== undefined)
    await markAlertsRead({ ...toContext(server), viewer: DEMO_VIEWER }, usdot, seenId);
  const written = new Map<string, number>();
  for (const [index, { id, openedMs, facts }] of alerts.slice(first).entries()) {
    const { kind } = facts.condition;
    const atMs = openedMs + TAKEN_AFTER_MS;
    if (atMs > nowMs || nowMs - openedMs > 2 * SHIFT_MS || (!isOpen && index % 4 === 0)) continue;
    const notes = (isOpen ? TAKEN_OPEN : TAKEN)[kind] ?? [];
    const note = notes[written.get(kind) ?? 0] ?? '';
    written.set(kind, (written.get(kind) ?? 0) + 1);
    const by = toContext(server, nowMs - atMs > SHIFT_MS ? NIGHT_SHIFT : DAY_SHIFT, atMs);
    await acknowledgeAlert(by, usdot, String(id), note);
  }
};

const FIRST_NAMES = [
  'Maria',
  'James',
  'Andre',
  'Linda',
  'Carlos',
  'Denise',
  'Tyrell',
  'Susan',
  'Viktor',
  'Grace',
  'Omar',
];
const LAST_NAMES = ['Hall', 'Price', 'Nguyen', 'Walker', 'Reyes', 'Boyd', 'Kowalski', 'Freeman', 'Adams'];
/** Some telephone area codes of the fleet's states, which the numbers of fiction (555-0100 to 555-0199) are written with. */
const AREA_CODES = ['312', '901', '713', '404', '816', '405', '214'];
/** The trucks that are called most, by their faults, and those that always drive for one customer. */
const CALLED: readonly (Specimen | null)[] = ['vanishing', 'pausing', 'dropped', 'frozen'];

const toPerson = (number: number): { name: string; phone: string } => ({
  name: `${FIRST_NAMES[number % FIRST_NAMES.length]} ${LAST_NAMES[number % LAST_NAMES.length]}`,
  phone: `(${AREA_CODES[number % AREA_CODES.length]}) 555-01${String(number % 100).padStart(2, '0')}`,
});

const writeContacts = async (server: SampleContext, fleet: DemoFleet, usdot: string): Promise<void> => {
  const context = toContext(server);
  const dispatcher = { dispatcher: DAY_SHIFT, dispatcherPhone: '(312) 555-0100' };
  for (const [unit, { vin }] of fleet.vehicles.entries()) {
    if (!CALLED.includes(specimenOf(unit)) && !isDedicated(unit)) continue;
    const driver = toPerson(unit);
    const second = unit % 3 === 0 ? toPerson(unit + 1) : { name: '', phone: '' };
    const contact = {
      ...{ unit: vin, driver: driver.name, driverPhone: driver.phone },
      ...{ secondDriver: second.name, secondDriverPhone: second.phone },
      ...dispatcher,
      text: isDedicated(unit) ? 'Dedicated: call the customer first.' : '',
    };
    await changeContact(context, usdot, contactInputSchema.parse(contact));
  }
};

const writeNotes = async (server: SampleContext, fleet: DemoFleet, usdot: string): Promise<void> => {
  const nowMs = server.clock.nowMs();
  const plain = listPlain(fleet);
  const isDriving = (unit: number) => fleet.stateAt(unit, nowMs).isDriving;
  const driving = plain.filter(isDriving);
  const standing = plain.filter((unit) => !isDriving(unit));
  const write = async (
    unit: number | undefined,
    text: string,
    by: string,
    agoMs: number,
    lastsMs?: number,
  ) => {
    if (unit === undefined) return;
    const note = {
      unit: fleet.vehicles[unit]!.vin,
      text,
      expiresMs: lastsMs === undefined ? null : nowMs + lastsMs,
    };
    await addNote(toContext(server, by, nowMs - agoMs), usdot, note);
  };
  await write(
    driving[4],
    'Reefer at 34°F. Ask for the temperature at each stop.',
    NIGHT_SHIFT,
    9 * HOUR_MS,
    DAY_MS,
  );
  await write(
    driving[17],
    'Driver wants to be home by Friday. Load to the Midwest next.',
    DAY_SHIFT,
    4 * HOUR_MS,
  );
  await write(
    driving[31],
    'PM service is due in 1,200 mi: Memphis has a slot.',
    DAY_SHIFT,
    3 * HOUR_MS,
    14 * DAY_MS,
  );
  await write(
    standing[2],
    'Waits for a lumper since the morning. Detention is running.',
    DAY_SHIFT,
    2 * HOUR_MS,
    DAY_MS,
  );
  await write(
    standing[9],
    'Left headlight is out. Parts are at the yard.',
    NIGHT_SHIFT,
    7 * HOUR_MS,
    2 * DAY_MS,
  );
};
