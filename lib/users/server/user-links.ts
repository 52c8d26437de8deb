import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor } from '@/lib/postgres/database';
import {
  deleteInvitation,
  insertInvitation,
  readInvitation,
  readInvitationByEmail,
} from './invitation-repository';
import type { InvitationRecord } from './invitation-repository';
import { insertPasswordReset } from './password-reset-repository';
import { readUserByEmail } from './user-repository';
import type { Invite, MadeLink } from '@/lib/users/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Audit } from '@/lib/audit/server/audit';
import type { LinkMaker } from './link-maker';
import { createLinkToken, toTokenHash } from './link-token';
import { toInvitationMail, toResetMail } from './mail-text';
import { reaches } from './scope';
import { asManager, readReached, requireReach, toManagerId } from './user-scope';
import type { By } from './user-scope';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A manager delivers the link, and its recipient may be off duty until the next day. */
const RESET_MS = DAY_MS;

/** The links that managers create for others. */
export interface UserLinks {
  /** @throws AppError 'email-taken', 'beyond-reach', 'demo-has-no-users', and the errors of asManager */
  invite: (input: Invite, by: By) => Promise<MadeLink>;
  /** @throws AppError 'unknown-user', 'demo-has-no-users' */
  withdraw: (invitationId: string, by: By) => Promise<void>;
  /** Creates a reset link. @throws AppError 'unknown-user', 'demo-has-no-users' */
  makeReset: (id: string, by: By) => Promise<MadeLink>;
}

export interface UserLinksOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  now: () => number;
}

/** What the invitation gives and, for a replaced one, what that gave and who created it. */
const toInviteDetails = (
  { role, usdots, days }: Invite,
  replaced: InvitationRecord | null,
): Record<string, unknown> =>
  replaced === null
    ? { role, usdots, days }
    : {
        role: { before: replaced.role, after: role },
        usdots: { before: replaced.usdots, after: usdots },
        days,
        replacedInvitationBy: replaced.invitedBy,
      };

export const createUserLinks = ({ open, audit, links, now }: UserLinksOptions): UserLinks => {
  /**
   * The existing invitation of an address, which a new one replaces; null for none.
   * @throws AppError 'email-taken' for a user's address, and for an invitation outside the manager's scope unless it
   * has expired
   */
  const readReplaced = async (tx: Executor, email: string, { usdots }: Viewer) => {
    if ((await readUserByEmail(tx, email)) !== null) throw new AppError('email-taken');
    const existing = await readInvitationByEmail(tx, email);
    if (existing !== null && existing.expiresAtMs > now() && !reaches(usdots, existing.usdots))
      throw new AppError('email-taken');
    return existing;
  };

  const invite: UserLinks['invite'] = async (input, { viewer, address }) => {
    const invitedById = toManagerId(viewer);
    const { email, role, usdots, days } = input;
    const token = createLinkToken();
    const expiresAtMs = now() + days * DAY_MS;
    await asManager(await open(), viewer, async (tx, manager) => {
      requireReach(manager, usdots);
      const replaced = await readReplaced(tx, email, manager);
      await insertInvitation(tx, {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        email,
        role,
        usdots,
        invitedById,
        createdAtMs: now(),
        expiresAtMs,
      });
      const details = toInviteDetails(input, replaced);
      await audit.note({ by: manager, action: 'user.invite', subject: email, address, details }, tx);
    });
    const link = links.toLink('/join', token);
    return {
      email,
      link,
      expiresAtMs,
      mail: await links.mail(toInvitationMail({ to: email, link, expiresAtMs })),
    };
  };

  const withdraw: UserLinks['withdraw'] = async (id, { viewer, address }) => {
    toManagerId(viewer);
    await asManager(await open(), viewer, async (tx, manager) => {
      const invitation = await readInvitation(tx, id);
      if (
        invitation === null ||
        !reaches(manager.usdots, invitation.usdots) ||
        !(await deleteInvitation(tx, id))
      )
        throw new AppError('unknown-user');
      const { email: subject, role, usdots } = invitation;
      const details = { role, usdots };
      await audit.note({ by: manager, action: 'user.withdraw-invitation', subject, address, details }, tx);
    });
  };

  const makeReset: UserLinks['makeReset'] = async (id, { viewer, address }) => {
    const madeById = toManagerId(viewer);
    const token = createLinkToken();
    const expiresAtMs = now() + RESET_MS;
    const email = await asManager(await open(), viewer, async (tx, manager) => {
      const user = await readReached(tx, id, manager);
      if (user.disabledAtMs !== null) throw new AppError('unknown-user');
      const reset = {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        userId: id,
        madeById,
        expiresAtMs,
      };
      await insertPasswordReset(tx, reset, now());
      await audit.note({ by: manager, action: 'user.make-reset-link', subject: user.email, address }, tx);
      return user.email;
    });
    const link = links.toLink('/reset', token);
    return {
      email,
      link,
      expiresAtMs,
      mail: await links.mail(toResetMail({ to: email, link, expiresAtMs })),
    };
  };

  return { invite, withdraw, makeReset };
};
