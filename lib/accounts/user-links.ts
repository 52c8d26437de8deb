import 'server-only';
import type { Database } from '@/lib/storage/database';
import { deleteInvitation, insertInvitation, readInvitation } from '@/lib/storage/invitations';
import { insertPasswordReset } from '@/lib/storage/password-resets';
import { EmailTakenError, readUserByEmail } from '@/lib/storage/users';
import type { Invite, MadeLink } from '@/lib/wire/users';
import type { Audit } from './audit';
import { NoSuchUserError } from './errors';
import type { LinkMaker } from './link-maker';
import { createLinkToken, toTokenHash } from './link-token';
import { toInvitationMail, toResetMail } from './mail-words';
import { reaches } from './reach';
import { readReached, requireReach, toManagerId } from './user-reach';
import type { By } from './user-reach';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A manager hands the link over; whoever gets it may be off until tomorrow. */
const RESET_MS = DAY_MS;

/** The links that managers make for others. */
export interface UserLinks {
  /** @throws EmailTakenError, BeyondReachError, DemoUsersError */
  invite: (input: Invite, by: By) => Promise<MadeLink>;
  /** @throws NoSuchUserError, DemoUsersError */
  withdraw: (invitationId: string, by: By) => Promise<void>;
  /** A link to a new password. @throws NoSuchUserError, DemoUsersError */
  makeReset: (id: string, by: By) => Promise<MadeLink>;
}

export interface UserLinksOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  now: () => number;
}

export const createUserLinks = ({ open, audit, links, now }: UserLinksOptions): UserLinks => {
  const invite: UserLinks['invite'] = async ({ email, role, usdots, days }, { viewer, address }) => {
    const invitedById = toManagerId(viewer);
    requireReach(viewer, usdots);
    const token = createLinkToken();
    const expiresAtMs = now() + days * DAY_MS;
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      if ((await readUserByEmail(tx, email)) !== null)
        throw new EmailTakenError('Got the e-mail address of a user.');
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
      const details = { role, usdots, days };
      await audit.note({ by: viewer, action: 'user.invite', subject: email, address, details }, tx);
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
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      const invitation = await readInvitation(tx, id);
      if (
        invitation === null ||
        !reaches(viewer.usdots, invitation.usdots) ||
        !(await deleteInvitation(tx, id))
      )
        throw new NoSuchUserError('Got the id of no invitation that this manager may withdraw.');
      const subject = invitation.email;
      await audit.note({ by: viewer, action: 'user.withdraw-invitation', subject, address }, tx);
    });
  };

  const makeReset: UserLinks['makeReset'] = async (id, { viewer, address }) => {
    const madeById = toManagerId(viewer);
    const token = createLinkToken();
    const expiresAtMs = now() + RESET_MS;
    const { orm } = await open();
    const email = await orm.transaction(async (tx) => {
      const user = await readReached(tx, id, viewer);
      if (user.disabledAtMs !== null) throw new NoSuchUserError('Got the id of a user who may not sign in.');
      const reset = {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        userId: id,
        madeById,
        expiresAtMs,
      };
      await insertPasswordReset(tx, reset, now());
      await audit.note({ by: viewer, action: 'user.make-reset-link', subject: user.email, address }, tx);
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
