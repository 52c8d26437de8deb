import type { Alert } from '@/lib/rules/alert-rule';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { toMapLink } from '../fleet-state/map-link';

type Subject = Pick<Alert, 'unit' | 'facts' | 'openedMs'>;

/** The map with the unit of an alert; an alert of the feed has none. */
export const toUnitHref = (usdot: string, { unit }: Pick<Alert, 'unit'>): string =>
  `/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: unit === '' ? null : unit })}`;

/** The map as it was when the alert was opened. */
export const toMomentHref = (usdot: string, { unit, facts, openedMs }: Subject): string => {
  const atMs = Math.floor((facts.fixAtMs ?? openedMs) / 1000) * 1000;
  const past = { atMs, speed: 1 } as const;
  return `/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: unit === '' ? null : unit, past })}`;
};

export const toUnitLink = (usdot: string, alert: Pick<Alert, 'unit'>) => toMapLink(toUnitHref(usdot, alert));
export const toMomentLink = (usdot: string, alert: Subject) => toMapLink(toMomentHref(usdot, alert));
