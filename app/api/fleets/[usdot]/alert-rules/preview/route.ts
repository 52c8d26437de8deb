import { MAX_RULE_BYTES } from '@/lib/alerts/schema';
import { alertRuleInputSchema } from '@/lib/rules/alert-rule';
import { previewRule } from '@/lib/alerts/server/rule-preview';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'What a rule would have sent during the last 7 days. Nothing is saved.',
  access: 'fleet',
  params: ['usdot'],
  body: alertRuleInputSchema,
  maxBytes: MAX_RULE_BYTES,
  handle: (context) => previewRule(context, context.usdot, context.body, context.request.signal),
});
