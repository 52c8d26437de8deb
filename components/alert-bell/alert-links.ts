import type { Alert } from '@/lib/rules/alert-rule';
import { EVERYTHING, toViewSearch, type ViewState } from '@/lib/view/view-state';
import { toMapLink } from '../fleet-state/map-link';

type Subject = Pick<Alert, 'unit' | 'facts' | 'openedMs'>;

/** The map with the unit of an alert, live or of a moment; an alert of the feed has no unit. */
export const toUnitHref = (
  usdot: string,
  { unit }: Pick<Alert, 'unit'>,
  past: ViewState['past'] = null,
): string => `/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: unit === '' ? null : unit, past })}`;

/** The map as it was when the alert was opened. */
export const toMomentHref = (usdot: string, alert: Subject): string => {
  const { facts, openedMs } = alert;
  const atMs = Math.floor((facts.fixAtMs ?? openedMs) / 1000) * 1000;
  return toUnitHref(usdot, alert, { atMs, speed: 1 });
};

export const toUnitLink = (usdot: string, alert: Pick<Alert, 'unit'>) => toMapLink(toUnitHref(usdot, alert));
export const toMomentLink = (usdot: string, alert: Subject) => toMapLink(toMomentHref(usdot, alert));
