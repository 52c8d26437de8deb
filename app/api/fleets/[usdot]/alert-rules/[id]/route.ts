import { MAX_RULE_BYTES, alertRuleChangeSchema } from '@/lib/alerts/schema';
import { changeRule, removeRule } from '@/lib/alerts/server/rules';
import { createRoute } from '@/server/route';

export const PATCH = createRoute({
  summary: 'Changes what the body names, and returns the rule.',
  access: 'fleet',
  params: ['usdot', 'id'],
  body: alertRuleChangeSchema,
  maxBytes: MAX_RULE_BYTES,
  handle: (context) => changeRule(context, context.usdot, context.id, context.body),
});

export const DELETE = createRoute({
  summary: 'Removes a rule; its alerts stay.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => removeRule(context, context.usdot, context.id),
});
