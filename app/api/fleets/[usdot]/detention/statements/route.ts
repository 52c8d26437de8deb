import { monthSchema, statementInputSchema } from '@/lib/proof/detention';
import { issueStatement, listStatements } from '@/lib/proof/server/detention/statements';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The detention statements about stays that began in a month.',
  access: 'units',
  params: ['usdot'],
  query: monthSchema,
  handle: async (context) => ({
    statements: await listStatements(context, context.usdot, context.query.month),
  }),
});

export const POST = createRoute({
  summary: 'Issues a detention statement, or the next revision of the one that there is about the stay.',
  access: 'units',
  params: ['usdot'],
  body: statementInputSchema,
  handle: (context) => issueStatement(context, context.usdot, context.body),
});
