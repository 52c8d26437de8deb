import 'server-only';
import type { ActionContext } from '@/lib/audit/audit';
import { queryHistory } from '@/lib/past/server/queries';
import type { QueryLimit } from '@/lib/past/server/query-limit';
import { watchPast } from '@/lib/reports/server/watched-past';
import { listSites } from '@/lib/sites/server/site-repository';
import { listTags } from '@/lib/tags/server/tags';
import type { RulePreview, AlertRuleInput } from '@/lib/rules/alert-rule';
import { isLoadCondition } from '@/lib/rules/load-cases';
import { previewLoads } from './load-preview';
import { requireTags, requireText } from './rules';

type PreviewContext = Pick<ActionContext, 'database' | 'clock' | 'viewer'> & {
  history: (Parameters<typeof watchPast>[0] & { limit: QueryLimit }) | null;
};

const PREVIEW_MS = 7 * 24 * 3_600_000;

/**
 * What a rule would have sent during the last 7 days, by the sites and tags of today; of a rule about loads what it would now.
 * @throws AppError 'bad-input', 'recording-off', 'history-busy', 'accounts-unavailable'
 */
export const previewRule = (
  { database, history, clock, viewer }: PreviewContext,
  usdot: string,
  input: AlertRuleInput,
  signal: AbortSignal,
): Promise<RulePreview> =>
  queryHistory({ history }, viewer, async (past) => {
    const { orm, pool } = await database.open();
    await requireText(orm, usdot, input);
    await requireTags(orm, usdot, viewer, input.units);
    const [sites, tags] = await Promise.all([listSites(orm, usdot), listTags(orm, usdot, { tags: null })]);
    const { isNewOnly: _, ...rule } = input;
    const tagged = Object.fromEntries(tags.map(({ tag, units }) => [tag, units]));
    const { condition, units } = rule;
    if (isLoadCondition(condition))
      return previewLoads(pool, usdot, { condition, units }, { tags: tagged, nowMs: clock.nowMs() });
    const config = {
      sites,
      rules: [{ ...rule, isEnabled: true, id: 0, madeBy: viewer.name }],
      tags: tagged,
    };
    const toMs = clock.nowMs();
    return watchPast(past, usdot, { config, fromMs: toMs - PREVIEW_MS, toMs }, signal);
  });
