import { keySetSchema } from '@/lib/proof/keys';
import { answerKeys } from '@/lib/proof/server/page/key-set';
import { createHeadRoute } from '@/server/route';

export const GET = createHeadRoute({
  summary: 'The public keys that documents are signed with, and their times, as a JWK set.',
  access: 'anyone',
  answer: keySetSchema,
  handle: (context) => answerKeys(context),
});
