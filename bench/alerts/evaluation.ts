import { FleetWatch } from '@/lib/rules/fleet-watch';
import type { AlertCondition, AlertRule } from '@/lib/rules/alert-rule';
import { outsideM } from '@/lib/rules/geofence';
import type { Site, SiteShape } from '@/lib/rules/site';
import { COLUMNS, UNNAMED, type Columns, type FleetRows } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { createColumns } from '@/lib/wire/live';
import { STATUSES } from '@/lib/motion/status';
import { createRandom } from '@/testing/motion/fixes';
import { atMost, toSection, type Section } from '../support/report';
import { median } from '../support/statistics';
import { plan } from './plan';

const { units: UNITS, sites: SITES, rules: RULES, polls: POLLS, uncounted: UNCOUNTED } = plan;
const SITES_ALONE = UNCOUNTED / 2;
const POLL_MS = 30_000;
const MOVED = 0.6;
const AT_SITES = 0.4;
const START_MS = Date.UTC(2026, 10, 24, 12);
const CORNERS = 24;
/** Every unit against every site takes minutes for all of them. */
const NAIVE_UNITS = UNITS / 100;

/** One of each kind. */
const CONDITIONS: readonly AlertCondition[] = [
  { kind: 'arrives', siteIds: Array.from({ length: 100 }, (_, index) => index + 1) },
  { kind: 'leaves', siteIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  { kind: 'stays', siteIds: null, forMin: 240 },
  { kind: 'entersNoGo' },
  { kind: 'silent', forMin: 10 },
  { kind: 'vanishes' },
  { kind: 'late' },
  { kind: 'standsOutside', forMin: 120 },
  {
    kind: 'movesOutsideHours',
    hours: { timeZone: 'America/Chicago', days: [{ weekdays: [1, 2, 3, 4, 5], fromMin: 360, toMin: 1200 }] },
  },
  { kind: 'exceeds', speedMph: 75 },
  { kind: 'flagged', flags: ['badVin', 'wrongCarrier'] },
  { kind: 'reportsAgain' },
  { kind: 'feedFails', forMin: 10 },
];

const random = createRandom(18);

/** Anywhere between California and Georgia. */
const createPosition = () => ({ lat: 30 + random() * 12, lng: -120 + random() * 38 });

const createSite = (_: unknown, index: number): Site => {
  const { lat, lng } = createPosition();
  const corner = (_each: unknown, i: number): [number, number] => {
    const [angle, size] = [(2 * Math.PI * i) / CORNERS, 0.002 + 0.001 * random()];
    return [lat + size * Math.sin(angle), lng + size * Math.cos(angle)];
  };
  const shape: SiteShape =
    index % 2 === 0
      ? { type: 'circle', lat, lng, radiusM: 100 + 400 * random() }
      : { type: 'polygon', corners: Array.from({ length: CORNERS }, corner) };
  const kind = index % 50 === 0 ? 'noGo' : 'customer';
  const about = { name: `Site ${index}`, kind, color: '#336699', notes: '' } as const;
  return { id: index + 1, ...about, openingHours: null, marginM: 75, shape };
};

const createRule = (_: unknown, index: number): AlertRule => ({
  id: index + 1,
  name: `Rule ${index}`,
  condition: CONDITIONS[index % CONDITIONS.length]!,
  units:
    index % 3 === 0
      ? { type: 'all' }
      : index % 3 === 1
        ? { type: 'tags', tags: [`tag ${index % 20}`] }
        : { type: 'makes', makes: ['Volvo'] },
  schedule:
    index % 4 === 0
      ? { timeZone: 'America/Chicago', days: [{ weekdays: [1, 2, 3, 4, 5], fromMin: 360, toMin: 1200 }] }
      : null,
  severity: 'warning',
  coolDownMin: 30,
  isEnabled: true,
  isOwn: false,
  madeBy: 'bench',
});

const sites = Array.from({ length: SITES }, createSite);
const rules = Array.from({ length: RULES }, createRule);
const identities = Array.from({ length: UNITS }, (_, unit) => ({
  ...UNNAMED,
  key: `VIN${unit}`,
  vin: `VIN${unit}`,
  truckNumber: String(unit),
  make: unit % 2 === 0 ? 'Volvo' : 'Freightliner',
}));
const tags = Object.fromEntries(
  Array.from({ length: 20 }, (_, tag) => [
    `tag ${tag}`,
    identities.filter((_each, unit) => unit % 20 === tag).map(({ key }) => key),
  ]),
);
const columns = createColumns(UNITS);

const place = (unit: number, lat: number, lng: number): void => {
  columns.latE5[unit] = Math.round(lat / DEGREES_PER_E5);
  columns.lngE5[unit] = Math.round(lng / DEGREES_PER_E5);
};

/** Two fifths of the units are at a site, the others on the road. */
const placeAll = (): void => {
  for (let unit = 0; unit < UNITS; unit++) {
    const { shape } = sites[Math.floor(random() * SITES)]!;
    const [lat, lng] = shape.type === 'circle' ? [shape.lat, shape.lng] : shape.corners[0]!;
    const isAtSite = random() < AT_SITES;
    const at = isAtSite ? { lat, lng } : createPosition();
    place(unit, at.lat, at.lng);
    columns.status[unit] = STATUSES.indexOf(isAtSite ? 'stopped' : 'moving');
    columns.sinceS[unit] = START_MS / 1000 - 3600;
    columns.fixAtS[unit] = START_MS / 1000;
    columns.speedKph[unit] = isAtSite ? -1 : 60 + Math.floor(random() * 50);
  }
};

/** Most units have a new fix; of those that drive one in a thousand changes what it does. */
const step = (poll: number): void => {
  for (let unit = 0; unit < UNITS; unit++) {
    if (random() >= MOVED) continue;
    const isMoving = columns.status[unit] === STATUSES.indexOf('moving');
    const byE5 = isMoving ? 700 : 20;
    columns.latE5[unit]! += Math.round((random() - 0.5) * byE5);
    columns.lngE5[unit]! += Math.round((random() - 0.5) * byE5);
    columns.fixAtS[unit] = (START_MS + poll * POLL_MS) / 1000;
    if (isMoving) columns.speedKph[unit] = 60 + Math.floor(random() * 50);
    if (random() < 0.001) columns.status[unit] = Math.floor(random() * STATUSES.length);
  }
};

const copyRows = (): FleetRows => ({
  rows: UNITS,
  identities: [...identities],
  columns: Object.fromEntries(COLUMNS.map((name) => [name, columns[name].slice()])) as Columns,
});

/** Processor time of one thread, ms: nothing else runs in this process. */
const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Every site for each of some units, as without an index. */
const measureNaive = (): number => {
  const beganMs = readCpuMs();
  let inside = 0;
  for (let unit = 0; unit < NAIVE_UNITS; unit++) {
    const at = { lat: columns.latE5[unit]! * DEGREES_PER_E5, lng: columns.lngE5[unit]! * DEGREES_PER_E5 };
    for (const { shape } of sites) if (outsideM(shape, at) === 0) inside++;
  }
  if (inside === 0) throw new Error('No unit is at a site.');
  return ((readCpuMs() - beganMs) * MOVED * UNITS) / NAIVE_UNITS;
};

const number = (value: number): string => value.toLocaleString('en-US');

/** Processor time of judging the sites and the rules of a fleet with each poll; nothing else may run meanwhile. */
export const measureEvaluation = (): Section => {
  placeAll();
  const watch = new FleetWatch();
  watch.configure({ sites, rules: [], tags });
  const tookMs: number[] = [];
  let [visits, alerts] = [0, 0];
  for (let poll = 0; poll < POLLS; poll++) {
    step(poll);
    if (poll === Math.floor(SITES_ALONE)) watch.configure({ sites, rules, tags });
    const rows = copyRows();
    const beganMs = readCpuMs();
    const watched = watch.observe(rows, { seenMs: START_MS + poll * POLL_MS, failure: null });
    tookMs.push(readCpuMs() - beganMs);
    if (poll < UNCOUNTED) continue;
    visits += watched.visits.length;
    alerts += watched.alerts.length;
  }
  const counted = tookMs.slice(UNCOUNTED);
  const ownMs = median(counted);
  const naiveMs = measureNaive();
  const shown = (what: string, measured: string) => ({ what, measured, target: '', isMet: null });
  return toSection(
    `${number(UNITS)} units, ${number(SITES)} sites, ${RULES} rules`,
    [
      atMost('processor time of a poll, median', ownMs, 150, 'ms', 0),
      shown('… longest', `${Math.max(...counted).toFixed(0)} ms`),
      shown('… the first, in which every unit is new', `${tookMs[0]!.toFixed(0)} ms`),
      shown(
        'every site for each unit that moved, without any rule',
        `${number(Math.round(naiveMs))} ms, ${number(Math.round(naiveMs / ownMs))} times as long`,
      ),
      shown('visits that began or ended in these polls', number(visits)),
      shown('alerts that opened or closed in these polls', number(alerts)),
    ],
    [
      `${MOVED * 100} % of the units have a new fix with each poll and ${AT_SITES * 100} % are at a site; every kind of rule for all units, a make or a tag. Half of the sites are circles, half polygons with ${CORNERS} corners. The comparison looks at 1 % of the units, and is extrapolated.`,
    ],
  );
};
