import { putTmsLoad, readTmsLoad, removeTmsLoad } from '@/lib/loads/server/tms';
import { tmsAnswerSchema, tmsLoadSchema } from '@/lib/loads/tms';
import { toResponse } from '@/lib/access/respond';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The load of a reference, with what happened at its stops and when its truck arrives.',
  access: 'program',
  params: ['reference'],
  answer: tmsAnswerSchema,
  handle: (context) => readTmsLoad(context, context.reference),
});

export const PUT = createRoute({
  summary:
    'Makes the load of a reference (201), or changes it to what the body says (200). The same body again changes nothing.',
  access: 'program',
  params: ['reference'],
  body: tmsLoadSchema,
  answer: tmsAnswerSchema,
  handle: async (context) => {
    const { isNew, load } = await putTmsLoad(context, context.reference, context.body);
    const { headers } = toResponse(load);
    return Response.json(tmsAnswerSchema.parse(load), { status: isNew ? 201 : 200, headers });
  },
});

export const DELETE = createRoute({
  summary: 'Removes the load of a reference with what happened to it.',
  access: 'program',
  params: ['reference'],
  handle: (context) => removeTmsLoad(context, context.reference),
});
