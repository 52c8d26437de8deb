import 'server-only';
import type { StopKind } from '@/lib/arrivals/load';
import type { TimeRange } from '@/lib/base/time';
import type { Load } from '@/lib/loads/load';
import { loadVerdictLabel, sortLoads, verdictDetail } from '@/lib/loads/text';
import type { Handover, LoadChangeKind } from '../schema';

interface Change {
  kind: LoadChangeKind;
  atMs: number;
  unit: string;
  stop: string;
}

const LEFT: Record<StopKind, LoadChangeKind> = { pickup: 'pickedUp', delivery: 'delivered', other: 'left' };

/** The truck that had a load at a time; empty: none. */
const unitAt = ({ trucks }: Load, atMs: number): string =>
  trucks.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs < (toMs ?? Infinity))?.unit ?? '';

const listStopChanges = (load: Load, nowMs: number): Change[] =>
  load.stops.flatMap(({ kind, name, appointment }, position): Change[] => {
    const { visit, isPassed } = load.judged[position]!;
    const changes: Change[] = [];
    const add = (change: LoadChangeKind, atMs: number, unit: string) =>
      changes.push({ kind: change, atMs, unit, stop: name });
    if (visit?.leftMs != null) add(LEFT[kind], visit.leftMs, visit.unit);
    else if (visit) add('arrived', visit.arrivedMs, visit.unit);
    const next = load.judged.slice(position).find((stop) => stop.visit)?.visit;
    if (isPassed && next) add('passed', next.arrivedMs, next.unit);
    const untilMs = appointment?.toMs ?? Infinity;
    // A load that was ended by hand, or passed this stop, is not waited for here.
    const endMs = visit
      ? (visit.arrivedAfterMs ?? visit.arrivedMs)
      : isPassed
        ? -Infinity
        : (load.endedMs ?? nowMs);
    if (endMs > untilMs) add('late', untilMs, visit?.unit ?? unitAt(load, untilMs));
    return changes;
  });

const listChanges = (load: Load, nowMs: number): Change[] => {
  const { trucks, endedMs, endedBy } = load;
  const given = trucks.flatMap(({ unit, fromMs, toMs }): Change[] => [
    { kind: 'given', atMs: fromMs, unit, stop: '' },
    ...(toMs !== null && !trucks.some((next) => next.fromMs === toMs)
      ? [{ kind: 'taken' as const, atMs: toMs, unit, stop: '' }]
      : []),
  ]);
  const closed: Change[] =
    endedMs === null || endedBy === null
      ? []
      : [{ kind: 'closed', atMs: endedMs, unit: trucks.at(-1)?.unit ?? '', stop: endedBy }];
  return [...given, ...listStopChanges(load, nowMs), ...closed];
};

const toVerdictText = (load: Load, nowMs: number): string => {
  const detail = load.endedMs === null ? verdictDetail(load, nowMs) : null;
  const label = loadVerdictLabel(load, nowMs).toLowerCase();
  return detail === null ? label : `${label}${detail.startsWith('by') ? '' : ','} ${detail}`;
};

/** What happened to loads in a range, the worst first; a load that did not change is not listed. */
export const toLoadChanges = (
  loads: readonly Load[],
  { fromMs, toMs }: TimeRange,
  nameOf: (key: string) => string,
): Handover['loads'] =>
  sortLoads(loads)
    .map((load) => ({
      ...{ id: load.id, reference: load.reference, customer: load.customer },
      ...{ verdict: toVerdictText(load, toMs), isLate: load.verdict === 'late' },
      changes: listChanges(load, toMs)
        .filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
        .sort((a, b) => a.atMs - b.atMs)
        .map(({ unit, ...change }) => ({ ...change, key: unit, name: unit === '' ? '' : nameOf(unit) })),
    }))
    .filter(({ changes }) => changes.length > 0);
