import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor } from '@/lib/postgres/database';
import { deletePasswordResetsFor } from '@/lib/users/server/password-reset-repository';
import { hasPassword } from '@/lib/auth/server/sign-in/second-factor-repository';
import {
  deletePendingSignInsOf,
  deleteSession,
  deleteSessionsOf,
  listSessions,
} from '@/lib/auth/server/sessions/session-repository';
import { readUser } from '@/lib/users/server/user-repository';
import type { Account, PasswordAgain, PasswordChange } from '@/lib/profile/schema';
import type { AuditAction } from '@/lib/audit/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Client } from '@/lib/auth/server/client';
import type { AttemptLimit } from '@/lib/auth/server/attempt-limit';
import type { Audit } from '@/lib/audit/server/audit';
import type { Auth } from '@/lib/auth/server/auth';
import type { Auths } from '@/lib/auth/server/auths';
import { readCode, withCookiesOf } from '@/lib/auth/server/sign-in/forward';
import type { HandOn } from '@/lib/auth/server/sign-in/forward';
import type { Sessions } from '@/lib/auth/server/sessions/sessions';
import type { VerifyTotp } from '@/lib/auth/server/sign-in/totp';

/** Changes of a user to the user's own account. Responses carry the browser's new cookies. */
export interface OwnAccount {
  read: (client: Client) => Promise<Account>;
  /** Changes the password and ends every other session. @throws AppError 'wrong-password', 'too-many-attempts' */
  changePassword: (input: PasswordChange, client: Client) => Promise<Response>;
  /**
   * Creates a secret and recovery codes, which are inactive until a code is confirmed.
   * @throws AppError 'wrong-password', 'second-factor-state', 'too-many-attempts'
   */
  startSecondFactor: (input: PasswordAgain, client: Client) => Promise<Response>;
  /**
   * Activates the second factor.
   * @throws AppError 'second-factor-refused', 'second-factor-state', 'too-many-attempts'
   */
  confirmSecondFactor: (input: { code: string }, client: Client) => Promise<Response>;
  /** @throws AppError 'wrong-password', 'too-many-attempts' */
  removeSecondFactor: (input: PasswordAgain, client: Client) => Promise<Response>;
  /**
   * New recovery codes, which replace the remaining ones.
   * @throws AppError 'wrong-password', 'second-factor-state', 'too-many-attempts'
   */
  renewRecoveryCodes: (input: PasswordAgain, client: Client) => Promise<Response>;
  /** @throws AppError 'unknown-account-part' */
  endSession: (id: string, client: Client) => Promise<void>;
  endAllSessions: (client: Client) => Promise<void>;
}

export const createOwnAccount = (options: {
  auths: Auths;
  sessions: Sessions;
  isSecondFactorRequired: () => Promise<boolean>;
  open: () => Promise<Database>;
  attempts: AttemptLimit;
  audit: Audit;
  handOn: HandOn;
  verifyTotp: VerifyTotp;
  now: () => number;
}): OwnAccount => {
  const { auths, sessions, isSecondFactorRequired, open, attempts, audit, handOn, verifyTotp, now } = options;

  const readOwner = async (client: Client) => {
    const session = await sessions.read(client);
    const user = session === null ? null : await readUser(await open(), session.viewer.id ?? '');
    if (session === null || user === null) throw new AppError('sign-in-needed');
    return { session, user, viewer: session.viewer };
  };

  const refuse = async (answer: Response): Promise<never> => {
    const code = await readCode(answer);
    if (code === 'INVALID_PASSWORD') throw new AppError('wrong-password');
    if (code === 'INVALID_CODE') throw new AppError('second-factor-refused');
    if (answer.status === 401) throw new AppError('sign-in-needed');
    throw new AppError('second-factor-state');
  };

  const toPath = (client: Client, path: string, body: unknown) => (auth: Auth) =>
    handOn({ client, auth, path, body });

  /**
   * Forwards a change of the viewer's own account, which requires the password or a code, to better-auth, and records
   * the result or the refusal.
   */
  const change = async (
    client: Client,
    { action, send }: { action: AuditAction; send: (auth: Auth, userId: string) => Promise<Response> },
  ): Promise<Response> => {
    const { user, viewer } = await readOwner(client);
    const { address } = client;
    const attempt = { address, account: user.email };
    await attempts.take(attempt);
    const answer = await send(await auths.for(client), user.id);
    const outcome = answer.ok ? 'done' : 'refused';
    await audit.note({ by: viewer, action, subject: user.email, address, outcome });
    if (!answer.ok) return refuse(answer);
    await attempts.succeed(attempt);
    sessions.forget(({ viewer: { id } }) => id === user.id);
    return answer;
  };

  /** Ends sessions in one transaction with the audit record. */
  const endSessions = async (
    action: AuditAction,
    { viewer, address }: { viewer: Viewer; address: string },
    end: (tx: Executor) => Promise<void>,
  ): Promise<void> => {
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      await end(tx);
      await audit.note({ by: viewer, action, subject: viewer.email ?? undefined, address }, tx);
    });
  };

  return {
    read: async (client) => {
      const { session, user } = await readOwner(client);
      const database = await open();
      const isWithPassword = await hasPassword(database, user.id);
      const all = await listSessions(database, user.id, now());
      return {
        name: user.name,
        email: user.email,
        hasPassword: isWithPassword,
        hasSecondFactor: user.hasSecondFactor,
        isSecondFactorRequired: user.role === 'manager' && isWithPassword && (await isSecondFactorRequired()),
        sessions: all.map(({ id, userAgent, address, createdAtMs, seenAtMs }) => {
          const isThis = id === session.sessionId;
          return { id, userAgent, address, createdAtMs, seenAtMs, isThis };
        }),
      };
    },
    changePassword: async ({ password, newPassword }, client) => {
      const body = { currentPassword: password, newPassword, revokeOtherSessions: true };
      const send = async (auth: Auth, userId: string): Promise<Response> => {
        const answer = await toPath(client, '/change-password', body)(auth);
        // Sign-ins that began with the old password, and pending resets that would replace the new one, end with it.
        if (answer.ok)
          await (
            await open()
          ).orm.transaction(async (tx) => {
            await deletePendingSignInsOf(tx, userId);
            await deletePasswordResetsFor(tx, userId);
          });
        return answer;
      };
      return withCookiesOf(await change(client, { action: 'password.change', send }), {});
    },
    startSecondFactor: async (body, client) => {
      const answer = await change(client, {
        action: 'second-factor.start',
        send: toPath(client, '/two-factor/enable', body),
      });
      const { totpURI, backupCodes } = (await answer.json()) as { totpURI: string; backupCodes: string[] };
      return withCookiesOf(answer, { uri: totpURI, recoveryCodes: backupCodes });
    },
    confirmSecondFactor: async ({ code }, client) =>
      withCookiesOf(
        await change(client, {
          action: 'second-factor.add',
          send: (auth, userId) => verifyTotp({ client, auth, userId, code }),
        }),
        {},
      ),
    removeSecondFactor: async (body, client) =>
      withCookiesOf(
        await change(client, {
          action: 'second-factor.remove',
          send: toPath(client, '/two-factor/disable', body),
        }),
        {},
      ),
    renewRecoveryCodes: async (body, client) => {
      const path = '/two-factor/generate-backup-codes';
      const answer = await change(client, {
        action: 'recovery-codes.renew',
        send: toPath(client, path, body),
      });
      const { backupCodes } = (await answer.json()) as { backupCodes: string[] };
      return withCookiesOf(answer, { recoveryCodes: backupCodes });
    },
    endSession: async (id, client) => {
      const { user, viewer } = await readOwner(client);
      await endSessions('session.end', { viewer, address: client.address }, async (tx) => {
        if (!(await deleteSession({ orm: tx }, user.id, id))) throw new AppError('unknown-account-part');
      });
      sessions.forget(({ sessionId }) => sessionId === id);
    },
    endAllSessions: async (client) => {
      const { user, viewer } = await readOwner(client);
      await endSessions('session.end-all', { viewer, address: client.address }, (tx) =>
        deleteSessionsOf({ orm: tx }, user.id),
      );
      sessions.forget(({ viewer: { id } }) => id === user.id);
    },
  };
};
