import { keySetSchema } from '@/lib/proof/keys';
import { listKeys, rotateSigningKey } from '@/lib/proof/server/manage-keys';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The keys that sign documents, with their times.',
  access: 'manager',
  answer: keySetSchema,
  handle: listKeys,
});

export const POST = createRoute({
  summary: 'Lets a new key sign documents; what the one before has signed stays verifiable.',
  access: 'manager',
  handle: rotateSigningKey,
});
