import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor } from '@/lib/postgres/database';
import { deleteInvitationsBy } from './invitation-repository';
import { deletePasswordResetsOf } from './password-reset-repository';
import { deleteSecondFactor } from '@/lib/auth/server/sign-in/second-factor-repository';
import { deleteSessionsOf } from '@/lib/auth/server/sessions/session-repository';
import { writeUser } from './user-repository';
import type { UserRecord } from './user-repository';
import type { AuditAction } from '@/lib/audit/schema';
import type { UserChangeInput, UserMade } from '@/lib/users/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Audit } from '@/lib/audit/server/audit';
import type { MadeItems } from './made-items';
import { reaches } from './scope';
import { asManager, readReached, requireReach, toManagerId } from './user-scope';
import type { By } from './user-scope';

/** Managers' changes to an existing user. */
export interface UserRights {
  /**
   * Applies from the user's next request on; additional rights end the user's sessions.
   * @throws AppError 'unknown-user', 'beyond-reach', 'own-rights', 'demo-has-no-users'
   */
  change: (id: string, input: UserChangeInput, by: By) => Promise<UserRecord>;
  /**
   * The items in use that the user created; a change ends those that exceed the new rights.
   * @throws AppError 'unknown-user', 'demo-has-no-users'
   */
  readMade: (id: string, by: By) => Promise<UserMade>;
  /**
   * For a user who has lost the second factor.
   * @throws AppError 'unknown-user', 'unknown-account-part', 'own-second-factor', 'demo-has-no-users'
   */
  removeSecondFactor: (id: string, by: By) => Promise<void>;
}

export interface UserRightsOptions {
  open: () => Promise<Database>;
  audit: Audit;
  now: () => number;
  /** The next request of each of the user's sessions reads the database. */
  forgetUser: (id: string) => void;
  /** @throws if the database of an embedded tracking service cannot be opened */
  openMade: () => Promise<MadeItems>;
  /** The next request of each of these wall screens reads the database. */
  forgetScreens: (ids: string[]) => void;
}

const givesMore = (before: UserRecord, after: Pick<UserRecord, 'role' | 'usdots'>): boolean =>
  (after.role === 'manager' && before.role !== 'manager') || !reaches(before.usdots, after.usdots);

/** The changed fields, old and new, for the audit log. */
const toDetails = (before: UserRecord, after: UserRecord): Record<string, unknown> => {
  const names = (['name', 'role', 'usdots'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
};

const toAction = (before: UserRecord, after: UserRecord): AuditAction => {
  if ((before.disabledAtMs === null) === (after.disabledAtMs === null)) return 'user.change';
  return after.disabledAtMs === null ? 'user.enable' : 'user.disable';
};

export const createUserRights = (options: UserRightsOptions): UserRights => {
  const { open, audit, now, forgetUser, openMade, forgetScreens } = options;

  /** Whether rights change. @throws if the change is not allowed */
  const judge = async (
    tx: Executor,
    before: UserRecord,
    input: UserChangeInput,
    manager: Viewer,
  ): Promise<boolean> => {
    const after = {
      ...before,
      ...input,
      disabledAtMs:
        (input.isDisabled ?? before.disabledAtMs !== null) ? (before.disabledAtMs ?? now()) : null,
    };
    const takesRights =
      after.role !== before.role ||
      (after.disabledAtMs === null) !== (before.disabledAtMs === null) ||
      JSON.stringify(after.usdots) !== JSON.stringify(before.usdots);
    if (!takesRights) return false;
    // This keeps at least one manager of all fleets: only another manager with these rights can remove them.
    if (before.id === manager.id) throw new AppError('own-rights');
    if (input.usdots !== undefined) requireReach(manager, input.usdots);
    // Links that a manager created must not outlive the rights that they depend on.
    await deleteInvitationsBy(tx, before.id);
    await deletePasswordResetsOf(tx, before.id);
    // A hijacked session must not gain rights unnoticed, so the user has to sign in again.
    if (givesMore(before, after)) await deleteSessionsOf({ orm: tx }, before.id);
    return true;
  };

  const change: UserRights['change'] = async (id, input, by) => {
    toManagerId(by.viewer);
    // Opened before the transaction, which holds a lock.
    const made = await openMade();
    const { changed, endedScreenIds } = await asManager(await open(), by.viewer, async (tx, manager) => {
      const before = await readReached(tx, id, manager);
      const takesRights = await judge(tx, before, input, manager);
      const { isDisabled, ...rest } = input;
      const disabledAtMs = isDisabled === false ? null : (before.disabledAtMs ?? now());
      const after = (await writeUser(
        tx,
        id,
        isDisabled === undefined ? rest : { ...rest, disabledAtMs },
        now(),
      ))!;
      await audit.note(
        {
          by: manager,
          action: toAction(before, after),
          subject: after.email,
          address: by.address,
          details: toDetails(before, after),
        },
        tx,
      );
      const acting = { viewer: manager, address: by.address };
      return {
        changed: after,
        endedScreenIds: takesRights ? await made.revokeBeyond(tx, after, acting) : [],
      };
    });
    forgetUser(id);
    forgetScreens(endedScreenIds);
    return changed;
  };

  const removeSecondFactor: UserRights['removeSecondFactor'] = async (id, { viewer, address }) => {
    // An unattended session does not prove identity, so removing one's own second factor requires the password.
    if (toManagerId(viewer) === id) throw new AppError('own-second-factor');
    await asManager(await open(), viewer, async (tx, manager) => {
      const { email } = await readReached(tx, id, manager);
      if (!(await deleteSecondFactor(tx, id))) throw new AppError('unknown-account-part');
      await audit.note({ by: manager, action: 'second-factor.remove', subject: email, address }, tx);
    });
    forgetUser(id);
  };

  const readMade: UserRights['readMade'] = async (id, { viewer }) => {
    toManagerId(viewer);
    const { orm } = await open();
    await readReached(orm, id, viewer);
    return (await openMade()).read(orm, id, viewer);
  };

  return { change, readMade, removeSecondFactor };
};
