import type { Site } from '../site';
import { unitName } from '@/lib/view/unit-name';
import { NO_POSITION, NOT_DERIVED, type FleetRows } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { REASONS, STATUSES, toFlagMask, toFlags } from '@/lib/motion/status';
import type { AlertCondition, AlertFacts } from '../alert-rule';
import { KPH_PER_MPH } from './conditions';

/** What an alert is about besides the unit's row. */
export interface Cause {
  /** Since when it holds, Unix ms; absent: since the unit has its status. */
  sinceMs?: number | null;
  betweenMs?: AlertFacts['betweenMs'];
  site?: Pick<Site, 'id' | 'name'> | undefined;
}

/** What is known of the feed when it fails. */
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

/** What is known of the unit in a row. */
export const toFacts = (
  condition: AlertCondition,
  { identities, columns }: FleetRows,
  row: number,
  { sinceMs, betweenMs = null, site }: Cause,
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
  };
};
