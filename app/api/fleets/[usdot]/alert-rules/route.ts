import { MAX_RULE_BYTES } from '@/lib/alerts/schema';
import { alertRuleInputSchema } from '@/lib/rules/alert-rule';
import { addRule, listFleetRules } from '@/lib/alerts/server/rules';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The alert rules of a fleet and the viewer's own. */
export const GET = createRoute<{ usdot: string }>(
  (context) => listFleetRules(context, requireUsdot(context.params.usdot)),
  { access: 'fleet' },
);

/** Adds a rule and returns it. */
export const POST = createRoute<{ usdot: string }>(
  async (context) =>
    addRule(
      context,
      requireUsdot(context.params.usdot),
      await readInput(context.request, alertRuleInputSchema, { maxBytes: MAX_RULE_BYTES }),
    ),
  { access: 'fleet' },
);
