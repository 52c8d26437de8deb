import 'server-only';
import type { ActionContext, RecordAction } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { changeAsManager } from '@/lib/users/server/user-scope';
import type { KeySet } from '../keys';
import { listPublicKeys, revokeKey, rotateKey } from './keys';
import type { ProofServer } from './documents';

type KeysContext = ActionContext & { proof: Pick<ProofServer, 'secret'> };

/** The keys that sign documents, without their private parts, the oldest first. */
export const listKeys = async ({ database }: Pick<KeysContext, 'database'>): Promise<KeySet> => ({
  keys: await listPublicKeys((await database.open()).orm),
});

/** The keys are of all fleets. @throws AppError 'whole-server' */
const changeKeys = (
  context: KeysContext,
  action: 'proof-key.rotate' | 'proof-key.revoke',
  work: (tx: Executor, record: RecordAction) => Promise<void>,
): Promise<void> =>
  changeAsManager(context, action, [], async (tx, record, manager) => {
    if (manager.usdots !== null) throw new AppError('whole-server');
    await work(tx, record);
  });

/** Lets a new key sign from now on; what the one before has signed stays verifiable. @throws AppError 'whole-server' */
export const rotateSigningKey = (context: KeysContext): Promise<void> =>
  changeKeys(context, 'proof-key.rotate', async (tx, record) =>
    record(await rotateKey(tx, context.proof.secret, context.clock.nowMs())),
  );

/** Marks a key as no longer to be trusted. @throws AppError 'whole-server', 'unknown-signing-key' */
export const revokeSigningKey = (context: KeysContext, kid: string): Promise<void> =>
  changeKeys(context, 'proof-key.revoke', async (tx, record) => {
    if (!(await revokeKey(tx, kid, context.clock.nowMs()))) throw new AppError('unknown-signing-key');
    await record(kid);
  });
