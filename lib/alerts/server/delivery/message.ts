import 'server-only';
import { formatZonedMoment, formatWhole } from '@/lib/view/format';
import { alertText } from '../../text';
import type { Delivery } from './delivery';

const MAX_LISTED = 50;

/** The time zone of a position; where that is not known, UTC. */
export type ToZone = (lat: number, lng: number) => string;

/** A message's sentence, with times in a zone or, where that is null, in the one of the place. */
export const toSentence = (
  { alert }: Pick<Delivery, 'alert'>,
  { zone, toZone, nowMs }: { zone: string | null; toZone: ToZone; nowMs: number },
): string => {
  const { lat, lng } = alert.facts;
  const shown = zone ?? (lat === null || lng === null ? 'UTC' : toZone(lat, lng));
  return alertText(alert, (ms) => formatZonedMoment(ms, nowMs, shown));
};

/** The address of an alert on its page; without a public address of this server, a path. */
export const toAlertUrl = (
  publicUrl: string | null,
  { usdot, alert }: Pick<Delivery, 'usdot' | 'alert'>,
): string => `${publicUrl ?? ''}/fleets/${usdot}/alerts?alert=${alert.id}`;

/** The first of many lines, and how many more there are. */
export const listLines = (lines: readonly string[], most = MAX_LISTED): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `And ${formatWhole(lines.length - most)} more.`];
