import { fetchJson } from '@/lib/browser/fetch-json';
import {
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  type Shape,
} from '@/lib/base/shape';
import { COUNTED_FROM } from '@/lib/arrivals/free-time';
import { LOAD_STATES, STOP_KINDS, VERDICTS } from '@/lib/arrivals/load';
import { CHECK_RESULTS } from './checks';
import type { EndedLoads, Load, LoadHistory, LoadInFull, LoadStop } from './load';
import type { UnitLoad } from '@/lib/view/load-verdicts';
import { NO_WINDOW_TEXTS, toUnitLoads } from './text';

const stopShape: Shape<LoadStop> = object({
  kind: oneOf(STOP_KINDS),
  siteId: nullable(number),
  name: text,
  address: text,
  lat: number,
  lng: number,
  timeZone: text,
  appointment: nullable(object({ fromMs: number, toMs: number })),
  freeMin: nullable(number),
  free: nullable(object({ freeMin: number, countedFrom: oneOf(COUNTED_FROM) })),
  contactName: text,
  contactPhone: text,
  isOwn: flag,
});

const visitShape = object({
  siteId: number,
  unit: text,
  arrivedAfterMs: nullable(number),
  arrivedMs: number,
  leftMs: nullable(number),
  leftByMs: nullable(number),
  /** What is counted of it; absent or null: nothing yet, or no fix shows it. */
  sure: optional(
    nullable(
      object({
        ...{ fromMs: number, toMs: number },
        away: list(object({ fromMs: number, toMs: number })),
      }),
    ),
  ),
});

const loadProperties = {
  id: integer(1),
  reference: text,
  po: text,
  bol: text,
  customer: text,
  note: text,
  tags: list(text),
  endedMs: nullable(number),
  endedBy: nullable(text),
  madeBy: text,
  madeMs: number,
  stops: list(stopShape),
  trucks: list(object({ unit: text, fromMs: number, toMs: nullable(number), madeBy: text })),
  state: oneOf(LOAD_STATES),
  next: nullable(number),
  judged: list(object({ visit: nullable(visitShape), isPassed: flag })),
  verdict: oneOf(VERDICTS),
  window: nullable(
    object({
      fromMs: number,
      toMs: number,
      by: oneOf(['usual', 'engine', 'roads', 'interstates', 'line'] as const),
      fixAtMs: number,
      distM: number,
      grades: number,
      restMs: optional(number),
    }),
  ),
  noWindow: nullable(oneOf(Object.keys(NO_WINDOW_TEXTS) as (keyof typeof NO_WINDOW_TEXTS)[])),
  seenMs: nullable(number),
};
const loadShape: Shape<Load> = object(loadProperties);

const inFullShape: Shape<LoadInFull> = object({
  ...loadProperties,
  later: list(
    nullable(
      object({
        window: nullable(object({ fromMs: number, toMs: number })),
        verdict: oneOf(VERDICTS),
      }),
    ),
  ),
});

const historyShape: Shape<LoadHistory> = object({
  atMs: number,
  seenMs: number,
  kind: text,
  position: number,
  unit: text,
  actor: nullable(text),
  check: optional(object({ result: oneOf(CHECK_RESULTS), typed: text })),
});

const endedShape = object({ loads: list(loadShape), nowMs: number });
const changedShape = object({
  ...{ version: text, isWhole: flag, gone: list(number) },
  ...{ loads: list(loadShape), nowMs: number },
});
const oneShape = object({ load: inFullShape, events: list(historyShape), nowMs: number });

export const loadsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/loads`;

/** The loads of a fleet as a browser holds them. */
export interface HeldLoads {
  /** Names what it holds to the server. */
  version: string;
  loads: readonly Load[];
  ofUnits: readonly UnitLoad[];
}

const areSame = (before: readonly UnitLoad[], now: readonly UnitLoad[]): boolean =>
  before.length === now.length &&
  now.every(({ id, unit, verdict, label, references }, i) => {
    const was = before[i]!;
    const isSame = was.id === id && was.unit === unit && was.verdict === verdict && was.label === label;
    return isSame && was.references.join('\n') === references.join('\n');
  });

/** GET /api/fleets/:usdot/loads: what was held with what has changed since; the same where nothing has. */
export const readLoads = async (
  usdot: string,
  held: HeldLoads | undefined,
  signal: AbortSignal,
): Promise<HeldLoads> => {
  const since = held?.version ? `?since=${encodeURIComponent(held.version)}` : '';
  const {
    version,
    isWhole,
    gone,
    loads: changed,
    nowMs,
  } = await fetchJson(`${loadsUrl(usdot)}${since}`, changedShape, { signal });
  if (held && !isWhole && changed.length + gone.length === 0) return held;
  const byId = new Map((isWhole ? [] : (held?.loads ?? [])).map((load) => [load.id, load]));
  for (const load of changed) byId.set(load.id, load);
  for (const id of gone) byId.delete(id);
  const loads = [...byId.values()];
  const ofUnits = toUnitLoads(loads, nowMs);
  // What trucks are marked with is made again for the whole fleet: not where only windows moved.
  const isSame = held !== undefined && areSame(held.ofUnits, ofUnits);
  return { version, loads, ofUnits: isSame ? held.ofUnits : ofUnits };
};

/** GET /api/fleets/:usdot/loads/ended */
export const readEndedLoads = (usdot: string, { fromMs, toMs, find }: EndedLoads, signal: AbortSignal) =>
  fetchJson(
    `${loadsUrl(usdot)}/ended?from=${fromMs}&to=${toMs}&find=${encodeURIComponent(find)}`,
    endedShape,
    { signal },
  );

/** GET /api/fleets/:usdot/loads/:id */
export const readLoad = (usdot: string, id: number, signal: AbortSignal) =>
  fetchJson(`${loadsUrl(usdot)}/${id}`, oneShape, { signal });
