import 'server-only';
import type { Executor } from '@/lib/postgres/database';
import type { UserRecord } from './user-repository';
import { listWallScreens, revokeWallScreen } from '@/lib/wall-screens/server/wall-screen-repository';
import type { AuditAction } from '@/lib/audit/schema';
import { mayKeep } from '@/lib/users/schema';
import type { MadeItem, UserMade } from '@/lib/users/schema';
import type { Audit } from '@/lib/audit/server/audit';
import { reaches } from './scope';
import type { By } from './user-scope';

/** Something in use that a user made, by the user's id; null: no maker on record. */
export type OwnedItem = MadeItem & { madeById: string | null };

/** API keys and ingest tokens of a tracking service that has its tables in the application's own database. */
export interface CredentialLedger {
  /** Those in use. */
  list: (tx: Executor) => Promise<OwnedItem[]>;
  /** Ends one as part of the transaction; false where it has ended meanwhile. */
  revoke: (item: MadeItem, tx: Executor) => Promise<boolean>;
}

const REVOKED: Readonly<Record<MadeItem['kind'], AuditAction>> = {
  'wall-screen': 'wall-screen.revoke',
  'api-key': 'api-key.revoke',
  'ingest-token': 'ingest-token.revoke',
};

export interface MadeItems {
  /** What a user made and what has no maker, of the fleets that the viewer sees. */
  read: (tx: Executor, userId: string, viewer: By['viewer']) => Promise<UserMade>;
  /**
   * Ends what a user made and may not keep, with a record in the audit log for each, all in the transaction that changes
   * the user. Returns the ids of wall screens that were ended: forget them once it is committed.
   */
  revokeBeyond: (tx: Executor, user: UserRecord, by: By) => Promise<string[]>;
}

/**
 * Wall screens, API keys and ingest tokens by the user who made them.
 * @param credentials null where no tracking service is embedded
 */
export const createMadeItems = (options: {
  credentials: CredentialLedger | null;
  audit: Audit;
  now: () => number;
}): MadeItems => {
  const { credentials, audit, now } = options;

  const listAll = async (tx: Executor): Promise<OwnedItem[]> => {
    const screens = (await listWallScreens(tx))
      .filter(({ revokedAtMs }) => revokedAtMs === null)
      .map(({ id, name, usdots, madeById }): OwnedItem => ({
        kind: 'wall-screen',
        id,
        name,
        usdots,
        madeById,
        isReplacedPair: false,
      }));
    return [...screens, ...((await credentials?.list(tx)) ?? [])];
  };

  return {
    read: async (tx, userId, { usdots }) => {
      const seen = (await listAll(tx)).filter((item) => reaches(usdots, item.usdots));
      return {
        made: seen.filter(({ madeById }) => madeById === userId),
        withoutMaker: seen.filter(({ madeById }) => madeById === null),
      };
    },
    revokeBeyond: async (tx, user, { viewer, address }) => {
      const rights = { ...user, isDisabled: user.disabledAtMs !== null };
      const beyond = (await listAll(tx)).filter(
        (item) => item.madeById === user.id && !mayKeep(rights, item),
      );
      const screenIds: string[] = [];
      for (const item of beyond) {
        const { kind, id, name: subject, usdots, isReplacedPair } = item;
        if (kind === 'wall-screen') screenIds.push(id);
        const isEnded =
          kind === 'wall-screen'
            ? (await revokeWallScreen(tx, id, now())) !== null
            : await credentials?.revoke(item, tx);
        if (!isEnded) continue;
        const details = { usdots, id, madeBy: user.email, ...(isReplacedPair && { isReplacedPair }) };
        await audit.note({ by: viewer, action: REVOKED[kind], subject, address, details }, tx);
      }
      return screenIds;
    },
  };
};
