import 'server-only';
import type { Pool } from 'pg';
import { addTo } from '@/lib/base/maps';
import { readLoads } from '@/lib/loads/server/loads';
import type { AlertFacts, AlertRuleInput, RulePreview } from '@/lib/rules/alert-rule';
import { toFeedFacts } from '@/lib/rules/engine/conditions';
import {
  listCases,
  toLoadCase,
  type LoadCase,
  type LoadCondition,
  type Nearing,
  type WorstCase,
} from '@/lib/rules/load-cases';

const MAX_LISTED = 20;

/** What rules judge of a fleet's loads now, by truck. */
const readCases = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  nowMs: number,
): Promise<Map<string, LoadCase[]>> => {
  const [loads, { rows }] = await Promise.all([
    readLoads(pool, usdot, { endedAfterMs: nowMs, nowMs }),
    pool.query<{ id: number; nearing: Nearing | null }>(
      `SELECT k.load_id::float8 AS id, k.shown->-1->'nearing' AS nearing FROM linehaul.load_states k
       JOIN linehaul.loads l ON l.id = k.load_id WHERE l.usdot = $1 AND l.ended_ms IS NULL`,
      [usdot],
    ),
  ]);
  const nearings = new Map(rows.map(({ id, nearing }) => [id, nearing]));
  const cases = new Map<string, LoadCase[]>();
  for (const load of loads) {
    const { state, next, judged: stops, endedMs, trucks, window, verdict } = load;
    const unit = trucks.find(({ toMs }) => toMs === null)?.unit ?? null;
    const found = toLoadCase({
      ...{ load: { ...load, texts: load.stops }, judged: { state, stops, next, unit, endedMs } },
      ...{ window, verdict, nearing: nearings.get(load.id) ?? null },
    });
    if (found) addTo(cases, found.unit, found);
  }
  return cases;
};

/** Whether a rule is about a truck, as far as that is known without its row. */
const toIsOfRule = (
  { units }: Pick<AlertRuleInput, 'units'>,
  tags: Readonly<Record<string, readonly string[]>>,
): ((unit: string) => boolean) => {
  if (units.type === 'units') return (unit) => units.units.includes(unit);
  const tagged = units.type === 'tags' ? new Set(units.tags.flatMap((tag) => tags[tag] ?? [])) : null;
  return (unit) => tagged === null || tagged.has(unit);
};

const toFacts = (condition: LoadCondition, { sinceMs, load }: WorstCase): AlertFacts => ({
  ...toFeedFacts(condition, sinceMs ?? 0),
  ...{ sinceMs, siteId: load.siteId, siteName: load.facts.stopName, load: load.facts },
});

/** The alerts that a rule about loads would open now; loads of the past are not judged again. */
export const previewLoads = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  rule: Pick<AlertRuleInput, 'units'> & { condition: LoadCondition },
  { tags, nowMs }: { tags: Readonly<Record<string, readonly string[]>>; nowMs: number },
): Promise<RulePreview> => {
  const { condition } = rule;
  const isOfRule = toIsOfRule(rule, tags);
  const first = [...(await readCases(pool, usdot, nowMs))].flatMap(([unit, loads]) => {
    const [worst] = listCases(condition, loads, nowMs);
    if (!worst?.opens || !isOfRule(unit)) return [];
    return [{ unit, openedMs: nowMs, closedMs: null, facts: toFacts(condition, worst) }];
  });
  const { length } = first;
  return {
    count: length,
    open: length,
    first: first.slice(0, MAX_LISTED),
    fromMs: nowMs,
    toMs: nowMs,
    recordedMs: 0,
  };
};
