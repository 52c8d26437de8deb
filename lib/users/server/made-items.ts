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

/** An item in use and the id of the user who created it; null: no recorded creator. */
export type OwnedItem = MadeItem & { madeById: string | null };

/** API keys and ingest tokens of a tracking service whose tables are in the application's database. */
export interface CredentialLedger {
  /** The credentials in use. */
  list: (tx: Executor) => Promise<OwnedItem[]>;
  /** Ends one as part of the transaction; false if it has already ended. */
  revoke: (item: MadeItem, tx: Executor) => Promise<boolean>;
}

const REVOKED: Readonly<Record<MadeItem['kind'], AuditAction>> = {
  'wall-screen': 'wall-screen.revoke',
  'api-key': 'api-key.revoke',
  'ingest-token': 'ingest-token.revoke',
};

export interface MadeItems {
  /** The items that a user created and those without a creator, in the viewer's scope. */
  read: (tx: Executor, userId: string, viewer: By['viewer']) => Promise<UserMade>;
  /**
   * Ends the items that a user created and may not keep, each with an audit record, in the transaction that changes the
   * user. Returns the ids of the ended wall screens: forget them after the commit.
   */
  revokeBeyond: (tx: Executor, user: UserRecord, by: By) => Promise<string[]>;
}

/**
 * Wall screens, API keys and ingest tokens by the user who created them.
 * @param credentials null without an embedded tracking service
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
