import { MAX_RULE_BYTES } from '@/lib/alerts/schema';
import { alertRuleInputSchema } from '@/lib/rules/alert-rule';
import { addRule, listFleetRules } from '@/lib/alerts/server/rules';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "The alert rules of a fleet and the viewer's own.",
  access: 'fleet',
  params: ['usdot'],
  handle: (context) => listFleetRules(context, context.usdot),
});

export const POST = createRoute({
  summary: 'Adds a rule and returns it.',
  access: 'fleet',
  params: ['usdot'],
  body: alertRuleInputSchema,
  maxBytes: MAX_RULE_BYTES,
  handle: (context) => addRule(context, context.usdot, context.body),
});
