import { MAX_RULE_BYTES, alertRuleChangeSchema } from '@/lib/alerts/schema';
import { changeRule, removeRule } from '@/lib/alerts/server/rules';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

interface Params {
  usdot: string;
  id: string;
}

/** Changes what the body names, and returns the rule. */
export const PATCH = createRoute<Params>(
  async (context) => {
    const { usdot, id } = context.params;
    const change = await readInput(context.request, alertRuleChangeSchema, { maxBytes: MAX_RULE_BYTES });
    return changeRule(context, requireUsdot(usdot), id, change);
  },
  { access: 'fleet' },
);

/** Removes a rule; its alerts stay. */
export const DELETE = createRoute<Params>(
  async (context) => removeRule(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'fleet' },
);
