import { MAX_RULE_BYTES } from '@/lib/alerts/schema';
import { alertRuleInputSchema } from '@/lib/rules/alert-rule';
import { previewRule } from '@/lib/alerts/server/rule-preview';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** What a rule would have sent during the last 7 days. Nothing is saved. */
export const POST = createRoute<{ usdot: string }>(
  async (context) =>
    previewRule(
      context,
      requireUsdot(context.params.usdot),
      await readInput(context.request, alertRuleInputSchema, { maxBytes: MAX_RULE_BYTES }),
      context.request.signal,
    ),
  { access: 'fleet' },
);
