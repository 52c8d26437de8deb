import { list, nullable, number, object, oneOf, text, type ShapeOf } from '@/lib/base/shape';
import { STOP_KINDS, type LoadState } from '@/lib/arrivals/load';
import { fetchJson } from '@/lib/browser/fetch-json';
import type { TimeRange } from '@/lib/base/time';
import type { UnitLoad } from '@/lib/view/load-verdicts';
import { betweenText, stateLabel } from './text';

/** GET /api/fleets/:usdot/loads/past: the loads that trucks had in a range, Unix ms; events in the order of time. */
export const pastLoadsAnswer = object({
  loads: list(
    object({
      ...{ id: number, reference: text, po: text, bol: text, customer: text, endedMs: nullable(number) },
      stops: list(object({ kind: oneOf(STOP_KINDS), name: text, timeZone: text })),
      trucks: list(object({ unit: text, fromMs: number, toMs: nullable(number) })),
      events: list(object({ kind: oneOf(['arrived', 'left'] as const), position: number, atMs: number })),
    }),
  ),
});
export type PastLoad = ShapeOf<typeof pastLoadsAnswer>['loads'][number];

/** The truck that had a load at a moment; null: none had, or it was over. */
const truckAt = ({ trucks, endedMs }: PastLoad, atMs: number): string | null =>
  endedMs !== null && endedMs <= atMs
    ? null
    : (trucks.find(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || toMs > atMs))?.unit ?? null);

/** What had happened last by a moment; null: nothing. */
const lastOf = ({ events }: PastLoad, atMs: number) => events.findLast((event) => event.atMs <= atMs) ?? null;

const PLACES = { pickup: 'Pickup', delivery: 'Delivery', other: 'Other' } as const;

/** How far a load was at a moment, by what is known of it today. */
const stateAt = (load: PastLoad, atMs: number): LoadState => {
  const last = lastOf(load, atMs);
  const at = last?.kind === 'arrived';
  const next = last === null ? 0 : last.position + (at ? 0 : 1);
  const { kind } = load.stops[Math.min(next, load.stops.length - 1)]!;
  return `${at ? 'at' : 'to'}${PLACES[kind]}`;
};

/** What a load did at a moment, with what that stands on, by the clock of the stop: "In transit, left Yard Dallas at 3:05 PM". */
export const pastStateText = (load: PastLoad, atMs: number): string => {
  const last = lastOf(load, atMs);
  const label = stateLabel(stateAt(load, atMs));
  if (last === null) return label;
  const { name, timeZone } = load.stops[last.position]!;
  const text = last.kind === 'arrived' ? `reached ${name}` : `left ${name}`;
  return `${label}, ${text} ${betweenText(last.atMs, last.atMs, atMs, timeZone)}`;
};

/** The loads that trucks had at a moment, as marks of these trucks. */
export const toPastMarks = (loads: readonly PastLoad[], atMs: number): UnitLoad[] =>
  loads.flatMap((load) => {
    const unit = truckAt(load, atMs);
    if (unit === null) return [];
    const references = [load.reference, load.po, load.bol].filter((each) => each !== '');
    const label = stateLabel(stateAt(load, atMs)).toLowerCase();
    return [{ id: load.id, unit, references, verdict: null, label }];
  });

/** The loads of a range, and the marks of trucks at a moment in it. */
export const readPastLoads = async (usdot: string, { fromMs, toMs }: TimeRange, signal: AbortSignal) => {
  const url = `/api/fleets/${encodeURIComponent(usdot)}/loads/past?from=${fromMs}&to=${toMs}`;
  const { loads } = await fetchJson(url, pastLoadsAnswer, { signal });
  return { loads, marksAt: (atMs: number) => toPastMarks(loads, atMs) };
};
