import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { deleteSecondFactor } from '@/lib/auth/server/sign-in/second-factor-repository';
import { deleteSessionsOf } from '@/lib/auth/server/sessions/session-repository';
import type { AuditAction } from '@/lib/audit/schema';
import { listChanges, type ActionContext, type RecordAction, type Requester } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import type { Invite, LinkMailState, MadeLink, User, UserChangeInput, UserMade } from '@/lib/users/schema';
import {
  deleteInvitation,
  deleteInvitationsBy,
  insertInvitation,
  listInvitations,
  readInvitation,
  readInvitationByEmail,
  deletePasswordResetsOf,
  insertPasswordReset,
  type InvitationRecord,
} from './link-repository';
import { requireKnownTags } from '@/lib/tags/server/known-tags';
import { listLinkMails, NO_MAIL, createLinkToken, toTokenHash, type LinkMaker } from './link-mails';
import { listUsers, readUserByEmail, writeUser, type UserRecord } from '@/lib/auth/server/user-repository';
import {
  changeAsManager,
  coversScope,
  createHideName,
  readUserInScope,
  requireScope,
  toManagerId,
} from './user-scope';
import { DAY_MS } from '@/lib/base/time';

/** The ended items that other parts hold in memory. */
export interface Ended {
  screenIds: string[];
  /** The fleets whose rules are fewer now. */
  ruleUsdots: string[];
}

export interface MadeItems {
  /** The items that a user created and those without a creator, in the viewer's scope. */
  read: (tx: Executor, userId: string, viewer: Viewer) => Promise<UserMade>;
  /** Ends the items that a user may not keep, each with an audit record; the caller forgets them after the commit. */
  revokeExcess: (tx: Executor, user: UserRecord, record: RecordAction) => Promise<Ended>;
}

interface UserAdminOptions extends Pick<ActionContext, 'database' | 'audit'> {
  links: LinkMaker;
  clock: Clock;
  /** The next request of each of the user's sessions reads the database. */
  forgetUser: (id: string) => void;
  /** @throws if the database of an embedded tracking service cannot be opened */
  openMade: () => Promise<MadeItems>;
  /** The next request of each of these wall screens reads the database. */
  forgetScreens: (ids: string[]) => void;
  /** Has the feeds of fleets read their rules again. */
  onRulesEnded: (usdots: string[]) => void;
}

/** A manager delivers the link, and its recipient may be off duty until the next day. */
const RESET_MS = DAY_MS;

/** The rights of an invitation and, if it replaces one, the rights and the creator of that. */
const toInviteDetails = (
  { role, usdots, tags, days }: Invite,
  replaced: InvitationRecord | null,
): Record<string, unknown> =>
  replaced === null
    ? { role, usdots, tags, days }
    : {
        role: { before: replaced.role, after: role },
        usdots: { before: replaced.usdots, after: usdots },
        tags: { before: replaced.tags, after: tags },
        days,
        replacedInvitationBy: replaced.invitedBy,
      };

/**
 * The existing invitation of an address, which a new one replaces; null for none.
 * @throws AppError 'email-taken' for a user's address, and for an invitation outside the manager's scope unless it
 * has expired
 */
const readReplaced = async (tx: Executor, email: string, { usdots }: Viewer, nowMs: number) => {
  if ((await readUserByEmail(tx, email)) !== null) throw new AppError('email-taken');
  const existing = await readInvitationByEmail(tx, email);
  if (existing !== null && existing.expiresAtMs > nowMs && !coversScope(usdots, existing.usdots))
    throw new AppError('email-taken');
  return existing;
};

const addsRights = (before: UserRecord, after: Pick<UserRecord, 'role' | 'usdots' | 'tags'>): boolean =>
  (after.role === 'manager' && before.role !== 'manager') ||
  !coversScope(before.usdots, after.usdots) ||
  !coversScope(before.tags, after.tags);

const toAction = (before: UserRecord, after: UserRecord): AuditAction => {
  if ((before.disabledAtMs === null) === (after.disabledAtMs === null)) return 'user.change';
  return after.disabledAtMs === null ? 'user.enable' : 'user.disable';
};

/** Whether rights change. @throws AppError 'own-rights', 'limited-manager', 'beyond-scope' */
const checkRights = async (
  tx: Executor,
  before: UserRecord,
  input: UserChangeInput,
  manager: Viewer,
  nowMs: number,
): Promise<boolean> => {
  const after = {
    ...before,
    ...input,
    disabledAtMs: (input.isDisabled ?? before.disabledAtMs !== null) ? (before.disabledAtMs ?? nowMs) : null,
  };
  const takesRights =
    after.role !== before.role ||
    (after.disabledAtMs === null) !== (before.disabledAtMs === null) ||
    JSON.stringify(after.usdots) !== JSON.stringify(before.usdots) ||
    JSON.stringify(after.tags) !== JSON.stringify(before.tags);
  if (!takesRights) return false;
  // This keeps at least one manager of all fleets: only another manager with these rights can remove them.
  if (before.id === manager.id) throw new AppError('own-rights');
  if (after.role === 'manager' && after.tags !== null) throw new AppError('limited-manager');
  if (input.usdots !== undefined) requireScope(manager, input.usdots);
  // Links that a manager created must not outlive the rights that they depend on.
  await deleteInvitationsBy(tx, before.id);
  await deletePasswordResetsOf(tx, before.id);
  // A hijacked session must not gain rights unnoticed, so the user has to sign in again.
  if (addsRights(before, after)) await deleteSessionsOf(tx, before.id);
  return true;
};

/**
 * Managers' operations on users; all but `list` throw AppError 'demo-has-no-users' and the errors of asManager. A
 * manager who is limited to some USDOT numbers can give no others, and users who see more look unknown.
 */
export class UserAdmin {
  readonly #options: UserAdminOptions;

  constructor(options: UserAdminOptions) {
    this.#options = options;
  }

  async list(viewer: Viewer): Promise<{
    users: (UserRecord & Pick<User, 'resetMail'>)[];
    invitations: (InvitationRecord & LinkMailState)[];
  }> {
    const { database } = this.#options;
    const { id, usdots } = viewer;
    const hideName = await createHideName(database, viewer);
    const { orm } = await database.open();
    const [users, invitations, mails] = await Promise.all([
      listUsers(orm),
      listInvitations(orm),
      listLinkMails(orm),
    ]);
    return {
      users: users
        .filter((user) => user.id === id || coversScope(usdots, user.usdots))
        .map((user) => ({ ...user, resetMail: mails.get(user.id) ?? null })),
      invitations: invitations
        .filter((invitation) => coversScope(usdots, invitation.usdots))
        .map((invitation) => ({
          ...invitation,
          invitedBy: hideName(invitation.invitedBy),
          ...(mails.get(invitation.id) ?? NO_MAIL),
        })),
    };
  }

  /** @throws AppError 'email-taken', 'beyond-scope', 'limited-manager', 'bad-input' */
  async invite(input: Invite, requester: Requester): Promise<MadeLink> {
    const { links, clock } = this.#options;
    const invitedById = toManagerId(requester.viewer);
    const { email, role, usdots, tags, days } = input;
    const token = createLinkToken();
    const createdAtMs = clock.nowMs();
    const expiresAtMs = createdAtMs + days * DAY_MS;
    const id = crypto.randomUUID();
    const link = await this.#change(requester, 'user.invite', usdots, async (tx, record, manager) => {
      if (role === 'manager' && tags !== null) throw new AppError('limited-manager');
      await requireKnownTags(tx, usdots, manager, { field: 'tags', tags: tags ?? [] });
      const replaced = await readReplaced(tx, email, manager, createdAtMs);
      const invitation = { id, tokenHash: toTokenHash(token), email, role, usdots, tags };
      await insertInvitation(tx, { ...invitation, invitedById, createdAtMs, expiresAtMs });
      await record(email, toInviteDetails(input, replaced));
      return links.store(tx, 'invitation', { id, token });
    });
    return links.send({ id, email, link, expiresAtMs });
  }

  /** Withdraws an invitation. @throws AppError 'unknown-user' */
  async withdraw(id: string, requester: Requester): Promise<void> {
    toManagerId(requester.viewer);
    await this.#change(requester, 'user.withdraw-invitation', [], async (tx, record, manager) => {
      const invitation = await readInvitation(tx, id);
      if (
        invitation === null ||
        !coversScope(manager.usdots, invitation.usdots) ||
        !(await deleteInvitation(tx, id))
      )
        throw new AppError('unknown-user');
      const { email, role, usdots, tags } = invitation;
      await record(email, { role, usdots, tags });
    });
  }

  /** Creates a reset link. @throws AppError 'unknown-user' */
  async makeReset(userId: string, requester: Requester): Promise<MadeLink> {
    const { links, clock } = this.#options;
    const madeById = toManagerId(requester.viewer);
    const token = createLinkToken();
    const expiresAtMs = clock.nowMs() + RESET_MS;
    const id = crypto.randomUUID();
    const made = await this.#change(requester, 'user.make-reset-link', [], async (tx, record, manager) => {
      const user = await readUserInScope(tx, userId, manager);
      if (user.disabledAtMs !== null) throw new AppError('unknown-user');
      const reset = { id, tokenHash: toTokenHash(token), userId, madeById, expiresAtMs };
      await insertPasswordReset(tx, reset, clock.nowMs());
      await record(user.email);
      return { email: user.email, link: await links.store(tx, 'reset', { id, token }) };
    });
    return links.send({ id, ...made, expiresAtMs });
  }

  /**
   * Applies from the user's next request on; additional rights end the user's sessions.
   * @throws AppError 'unknown-user', 'beyond-scope', 'own-rights', 'limited-manager', 'bad-input'
   */
  async change(id: string, input: UserChangeInput, requester: Requester): Promise<UserRecord> {
    const { clock, forgetUser, openMade, forgetScreens, onRulesEnded } = this.#options;
    toManagerId(requester.viewer);
    // Opened before the transaction, which holds a lock.
    const made = await openMade();
    const change = async (tx: Executor, record: RecordAction, manager: Viewer) => {
      const nowMs = clock.nowMs();
      const before = await readUserInScope(tx, id, manager);
      await requireKnownTags(tx, input.usdots === undefined ? before.usdots : input.usdots, manager, {
        field: 'tags',
        tags: input.tags ?? [],
        before: before.tags ?? [],
      });
      const takesRights = await checkRights(tx, before, input, manager, nowMs);
      const { isDisabled, ...rest } = input;
      const disabledAtMs = isDisabled === false ? null : (before.disabledAtMs ?? nowMs);
      const changes = isDisabled === undefined ? rest : { ...rest, disabledAtMs };
      const after = (await writeUser(tx, id, changes, nowMs))!;
      await record(
        after.email,
        listChanges(before, after, ['name', 'role', 'usdots', 'tags']),
        toAction(before, after),
      );
      return { changed: after, ended: takesRights ? await made.revokeExcess(tx, after, record) : null };
    };
    const { changed, ended } = await this.#change(requester, 'user.change', [], change);
    forgetUser(id);
    if (ended !== null) {
      forgetScreens(ended.screenIds);
      onRulesEnded(ended.ruleUsdots);
    }
    return changed;
  }

  /** The items in use that the user created. @throws AppError 'unknown-user' */
  async readMade(id: string, { viewer }: Pick<Requester, 'viewer'>): Promise<UserMade> {
    toManagerId(viewer);
    const { orm } = await this.#options.database.open();
    await readUserInScope(orm, id, viewer);
    return (await this.#options.openMade()).read(orm, id, viewer);
  }

  /** For a user who has lost the second factor. @throws AppError 'unknown-user', 'unknown-account-part', 'own-second-factor' */
  async removeSecondFactor(id: string, requester: Requester): Promise<void> {
    // An unattended session does not prove identity, so removing one's own second factor requires the password.
    if (toManagerId(requester.viewer) === id) throw new AppError('own-second-factor');
    await this.#change(requester, 'second-factor.remove', [], async (tx, record, manager) => {
      const { email } = await readUserInScope(tx, id, manager);
      if (!(await deleteSecondFactor(tx, id))) throw new AppError('unknown-account-part');
      await record(email);
    });
    this.#options.forgetUser(id);
  }

  #change<T>(
    requester: Requester,
    action: AuditAction,
    usdots: readonly string[] | null,
    work: (tx: Executor, record: RecordAction, manager: Viewer) => Promise<T>,
  ): Promise<T> {
    const { database, audit } = this.#options;
    return changeAsManager({ ...requester, database, audit }, action, usdots, work);
  }
}
