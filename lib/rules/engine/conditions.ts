import type { PollStep } from '../poll-step';
import { UNTRUSTED_FLAGS, type OpenVisits } from '../site-tracker';
import { REASONS, STATUSES, toFlagMask, toFlags } from '@/lib/motion/status';
import { METERS_PER_MILE, DEGREES_PER_E5 } from '@/lib/geo/units';
import type { WeeklyHours, Site } from '../site';
import type { AlertCondition, AlertFacts } from '../alert-rule';
import { isWithinHours } from '../hours';
import { unitName } from '@/lib/view/unit-name';
import { listCases, type LoadCase, type LoadCondition } from '../load-cases';
import { NO_POSITION, NOT_DERIVED, type FleetRows } from '@/lib/wire/fleet';

/** `CAUSE` in a row opens an alert; `KEEPS` opens none, and keeps one open. */
export const CAUSE = 1;
export const KEEPS = 2;

const MINUTE_S = 60;
export const KPH_PER_MPH = METERS_PER_MILE / 1000;
/** An alert of a speed ends this far below it. */
const SLOWER_MPH = 5;

export const [MOVING, STOPPED, LATE, SILENT] = (['moving', 'stopped', 'late', 'silent'] as const).map(
  (status) => STATUSES.indexOf(status),
) as [number, number, number, number];
const VANISHED_MOVING = REASONS.indexOf('vanishedMoving');
const NEVER_SEEN = REASONS.indexOf('neverSeen');

/** The evidence in which the causes of a rule are found. */
export interface Evidence extends PollStep {
  open: OpenVisits;
  /** The rows whose units may have arrived at a site. */
  arriving: Iterable<number>;
  /** When units left sites, by their keys, Unix ms. */
  leftMs: ReadonlyMap<string, number>;
  /** 1 for the sites of the rule, in the order of all sites. */
  isOfRule: Uint8Array;
  /** The loads of each unit. */
  readLoads: () => ReadonlyMap<string, readonly LoadCase[]>;
}

/** Writes CAUSE, KEEPS or 0 for each row. `holds` is 0 everywhere before. */
type Find<K extends AlertCondition['kind']> = (
  condition: Extract<AlertCondition, { kind: K }>,
  evidence: Evidence,
  holds: Uint8Array,
) => void;

/** Marks the units that visit sites of the rule and came before a time (Unix ms): one that may have left opens no alert. */
const markVisits = ({ open, isOfRule }: Evidence, byMs: number, holds: Uint8Array): void => {
  const { count, rows, sites, arrivedMs, presences } = open;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    if (isOfRule[sites[i]!] !== 1 || arrivedMs[i]! > byMs || holds[row] === CAUSE) continue;
    holds[row] = presences[i]!.beyondMs === null ? CAUSE : KEEPS;
  }
};

const toLimitS = (seenMs: number, forMin: number): number => Math.floor(seenMs / 1000) - forMin * MINUTE_S;

/** A unit that moves has a fix that is younger than this. */
const FIX_AT_MOST_MIN = 60;

/** Since when a moment is outside of hours, Unix s, or so many minutes before it: hours begin and end with a minute. */
const toOutsideFromS = (hours: WeeklyHours, seenMs: number): number => {
  const lastMin = Math.floor(seenMs / 60_000);
  let min = lastMin;
  while (lastMin - min < FIX_AT_MOST_MIN && !isWithinHours(hours, (min - 1) * 60_000)) min--;
  return min * MINUTE_S;
};

/** Marks the units with a load for which a condition holds. */
const markLoads = (
  condition: LoadCondition,
  { rows: { identities }, seenMs, readLoads }: Evidence,
  holds: Uint8Array,
): void => {
  const loads = readLoads();
  if (loads.size === 0) return;
  identities.forEach((identity, row) => {
    const [worst] = listCases(condition, (identity && loads.get(identity.key)) ?? [], seenMs);
    if (worst) holds[row] = worst.opens ? CAUSE : KEEPS;
  });
};

/** Conditions that last, by what a poll shows. */
const FINDERS: { [K in AlertCondition['kind']]?: Find<K> } = {
  // Its arrivals are events: this only keeps its alerts open.
  arrives: (_, { open: { count, rows, sites }, isOfRule }, holds) => {
    for (let i = 0; i < count; i++) if (isOfRule[sites[i]!] === 1) holds[rows[i]!] = KEEPS;
  },
  stays: ({ forMin }, evidence, holds) =>
    markVisits(evidence, evidence.seenMs - forMin * MINUTE_S * 1000, holds),
  entersNoGo: (_, evidence, holds) => markVisits(evidence, Infinity, holds),
  silent: ({ forMin }, { rows: { rows, columns }, seenMs }, holds) => {
    const [{ fixAtS }, limitS] = [columns, toLimitS(seenMs, forMin)];
    for (let row = 0; row < rows; row++) if (fixAtS[row]! <= limitS && fixAtS[row]! > 0) holds[row] = CAUSE;
  },
  vanishes: (_, { rows: { rows, columns } }, holds) => {
    const { reason } = columns;
    for (let row = 0; row < rows; row++) if (reason[row] === VANISHED_MOVING) holds[row] = CAUSE;
  },
  // A late unit that falls silent has still not reported.
  late: (_, { rows: { rows, columns } }, holds) => {
    const { status, reason } = columns;
    for (let row = 0; row < rows; row++)
      if (status[row] === LATE) holds[row] = CAUSE;
      else if (status[row] === SILENT && reason[row] !== NEVER_SEEN) holds[row] = KEEPS;
  },
  // Where it does not report it has not driven on either, as far as is known.
  standsOutside: ({ forMin }, { rows: { rows, columns, identities }, seenMs, arriving, leftMs }, holds) => {
    const [{ status, sinceS, siteId }, limitS] = [columns, toLimitS(seenMs, forMin)];
    for (let row = 0; row < rows; row++) {
      if (siteId[row] !== 0 || status[row] === MOVING) continue;
      const isLong = status[row] === STOPPED && sinceS[row]! > 0 && sinceS[row]! <= limitS;
      // A stop may have begun at a site that the unit has left since.
      const isOutside = isLong && (leftMs.get(identities[row]?.key ?? '') ?? 0) <= limitS * 1000;
      holds[row] = isOutside ? CAUSE : KEEPS;
    }
    for (const row of arriving) if (holds[row] === CAUSE) holds[row] = KEEPS;
  },
  movesOutsideHours: ({ hours }, { rows: { rows, columns }, seenMs }, holds) => {
    if (isWithinHours(hours, seenMs)) return;
    const { status, fixAtS } = columns;
    const outsideFromS = toOutsideFromS(hours, seenMs);
    for (let row = 0; row < rows; row++)
      if (status[row] === MOVING) holds[row] = fixAtS[row]! >= outsideFromS ? CAUSE : KEEPS;
      else if (status[row] === LATE || status[row] === SILENT) holds[row] = KEEPS;
  },
  exceeds: ({ speedMph }, { rows: { rows, columns } }, holds) => {
    const { status, speedKph, flags } = columns;
    const [fastKph, slowKph] = [speedMph * KPH_PER_MPH, (speedMph - SLOWER_MPH) * KPH_PER_MPH];
    for (let row = 0; row < rows; row++)
      if (speedKph[row]! > slowKph && status[row] === MOVING)
        holds[row] = speedKph[row]! > fastKph && !(flags[row]! & UNTRUSTED_FLAGS) ? CAUSE : KEEPS;
  },
  flagged: (condition, { rows: { rows, columns } }, holds) => {
    const [{ flags }, mask] = [columns, toFlagMask(condition.flags)];
    for (let row = 0; row < rows; row++) if (flags[row]! & mask) holds[row] = CAUSE;
  },
  loadWillBeLate: markLoads,
  loadLate: markLoads,
  loadNotMoving: markLoads,
  freeTimeEnds: markLoads,
  wrongTruck: markLoads,
};

/** Finds the rows in which a condition holds; none for one that happens instead of lasting. */
export const findHolds = (condition: AlertCondition, evidence: Evidence, holds: Uint8Array): void => {
  const find = FINDERS[condition.kind] as Find<AlertCondition['kind']> | undefined;
  find?.(condition, evidence, holds);
};

/** Rows of units that report again after a silence, and the time of the fix before (Unix ms), also across a restart. */
export const listReportsAgain = (
  { rows: { rows, columns, identities }, before, moved, movedFrom }: PollStep,
  silentFixMs: ReadonlyMap<string, number>,
): Map<number, number> => {
  const found = new Map<number, number>();
  const { status, fixAtS } = columns;
  const was = before?.columns;
  const fromOf = new Map(moved.map((row, i) => [row, movedFrom[i]!]));
  for (let row = 0; row < rows; row++) {
    if (status[row] === SILENT || fixAtS[row] === 0) continue;
    const from = fromOf.get(row) ?? row;
    const isSilent = was?.status[from] === SILENT && was.reason[from] !== NEVER_SEEN;
    const heldMs =
      from < 0 ? silentFixMs.get(identities[row]?.key ?? '') : isSilent && was.fixAtS[from]! * 1000;
    if (typeof heldMs === 'number' && fixAtS[row]! * 1000 > heldMs) found.set(row, heldMs);
  }
  return found;
};

/** The cause of an alert besides the unit's row. */
export interface Cause {
  /** Since when it holds, Unix ms; absent: since the unit has its status. */
  sinceMs?: number | null;
  betweenMs?: AlertFacts['betweenMs'];
  site?: Pick<Site, 'id' | 'name'> | undefined;
  load?: AlertFacts['load'];
}

/** The facts of an alert of the feed. */
export const toFeedFacts = (condition: AlertCondition, sinceMs: number): AlertFacts => ({
  condition,
  unitName: null,
  fixAtMs: null,
  lat: null,
  lng: null,
  status: null,
  reason: null,
  speedMph: null,
  sinceMs,
  siteId: null,
  siteName: null,
  betweenMs: null,
  flags: [],
});

/** The facts of an alert of the unit in a row. */
export const toFacts = (
  condition: AlertCondition,
  { identities, columns }: FleetRows,
  row: number,
  { sinceMs, betweenMs = null, site, load }: Cause,
): AlertFacts => {
  const identity = identities[row] ?? null;
  const [lat, lng, fixAtS] = [columns.latE5[row]!, columns.lngE5[row]!, columns.fixAtS[row]!];
  const [speedKph, sinceS] = [columns.speedKph[row]!, columns.sinceS[row]!];
  const hasPosition = lat !== NO_POSITION;
  const ofRule = condition.kind === 'flagged' ? toFlagMask(condition.flags) : -1;
  return {
    condition,
    unitName: identity && unitName(identity),
    fixAtMs: fixAtS === 0 ? null : fixAtS * 1000,
    lat: hasPosition ? Number((lat * DEGREES_PER_E5).toFixed(5)) : null,
    lng: hasPosition ? Number((lng * DEGREES_PER_E5).toFixed(5)) : null,
    status: STATUSES[columns.status[row]!]!,
    reason: REASONS[columns.reason[row]!]!,
    speedMph: speedKph === NOT_DERIVED ? null : Math.round((speedKph / KPH_PER_MPH) * 10) / 10,
    sinceMs: sinceMs !== undefined ? sinceMs : sinceS === 0 ? null : sinceS * 1000,
    siteId: site?.id ?? null,
    siteName: site?.name ?? null,
    betweenMs,
    flags: toFlags(columns.flags[row]! & ofRule),
    ...(load && { load }),
  };
};
