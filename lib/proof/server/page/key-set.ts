import 'server-only';
import type { ApplicationDatabase } from '@/lib/database/open-accounts';
import type { KeySet } from '../../keys';
import { listPublicKeys } from '../keys';

/** The answer with all public keys; every site may read it, and caches keep it for a minute, so that a revocation is seen soon. */
export const answerKeys = async ({
  database,
}: {
  database: Pick<ApplicationDatabase, 'open'>;
}): Promise<Response> => {
  const { orm } = await database.open();
  const keys: KeySet = { keys: await listPublicKeys(orm) };
  return Response.json(keys, {
    headers: {
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
};
