import 'server-only';
import { queryHistory } from '@/lib/past/server/queries';
import { watchPast } from '@/lib/reports/server/watched-past';
import { listSites } from '@/lib/sites/server/site-repository';
import { listTags } from '@/lib/tags/server/tags';
import type { RulePreview, AlertRuleInput } from '@/lib/rules/alert-rule';
import { requireText, type AlertRequest } from './rules';

const PREVIEW_MS = 7 * 24 * 3_600_000;

/**
 * What a rule would have sent during the last 7 days, by the sites and tags of today.
 * @throws AppError 'bad-input', 'recording-off', 'history-busy', 'accounts-unavailable'
 */
export const previewRule = (
  { runtime, viewer }: Pick<AlertRequest, 'runtime' | 'viewer'>,
  usdot: string,
  input: AlertRuleInput,
  signal: AbortSignal,
): Promise<RulePreview> =>
  queryHistory(runtime, viewer, async (history) => {
    const { orm } = await runtime.accounts.open();
    await requireText(orm, usdot, input);
    const [sites, tags] = await Promise.all([listSites(orm, usdot), listTags(orm, usdot, { tags: null })]);
    const config = {
      sites,
      rules: [{ ...input, isEnabled: true, id: 0, madeBy: viewer.name }],
      tags: Object.fromEntries(tags.map(({ tag, units }) => [tag, units])),
    };
    const toMs = runtime.clock.nowMs();
    return watchPast(history, usdot, { config, fromMs: toMs - PREVIEW_MS, toMs }, signal);
  });
