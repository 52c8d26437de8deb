import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { deletePasswordResetsFor } from '@/lib/users/server/link-repository';
import { hasPassword } from '@/lib/auth/server/sign-in/second-factor-repository';
import {
  deletePendingSignInsOf,
  deleteSession,
  deleteSessionsOf,
  listSessions,
} from '@/lib/auth/server/sessions/session-repository';
import { readUser } from '@/lib/auth/server/user-repository';
import type { ProfileAnswer, PasswordAgain, PasswordChange } from '@/lib/profile/schema';
import type { AuditAction } from '@/lib/audit/schema';
import type { Client } from '@/lib/base/viewer';
import type { AttemptLimit } from '@/lib/base/rate-limits';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Auth } from '@/lib/auth/server/auth';
import type { Auths } from '@/lib/auth/server/auths';
import { readCode, withCookiesOf, type Forward } from '@/lib/auth/server/sign-in/forward';
import type { Sessions } from '@/lib/auth/server/sessions/sessions';
import type { VerifyTotp } from '@/lib/auth/server/sign-in/totp';

interface ProfileOptions extends Pick<ActionContext, 'database' | 'audit'> {
  auths: Auths;
  sessions: Sessions;
  isSecondFactorRequired: () => Promise<boolean>;
  attempts: AttemptLimit;
  forward: Forward;
  verifyTotp: VerifyTotp;
  clock: Clock;
}

/** @throws AppError for better-auth's refusal of a change */
const refuse = async (answer: Response): Promise<never> => {
  const code = await readCode(answer);
  if (code === 'INVALID_PASSWORD') throw new AppError('wrong-password');
  if (code === 'INVALID_CODE') throw new AppError('second-factor-refused');
  if (answer.status === 401) throw new AppError('sign-in-needed');
  throw new AppError('second-factor-state');
};

/** A user's own sign-in methods and sessions, and their changes. Responses carry the browser's new cookies. */
export class Profile {
  readonly #options: ProfileOptions;

  constructor(options: ProfileOptions) {
    this.#options = options;
  }

  async read(client: Client): Promise<ProfileAnswer> {
    const { database, isSecondFactorRequired, clock } = this.#options;
    const { session, user } = await this.#readOwner(client);
    const { orm } = await database.open();
    const isWithPassword = await hasPassword(orm, user.id);
    const all = await listSessions(orm, user.id, clock.nowMs());
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
  }

  /** Changes the password and ends every other session. @throws AppError 'wrong-password', 'too-many-attempts' */
  async changePassword({ password, newPassword }: PasswordChange, client: Client): Promise<Response> {
    const body = { currentPassword: password, newPassword, revokeOtherSessions: true };
    const answer = await this.#change(client, 'password.change', async (auth, userId) => {
      const changed = await this.#options.forward({ client, auth, path: '/change-password', body });
      if (!changed.ok) return changed;
      const { orm } = await this.#options.database.open();
      // Sign-ins that began with the old password, and pending resets that would replace the new one, end with it.
      await orm.transaction(async (tx) => {
        await deletePendingSignInsOf(tx, userId);
        await deletePasswordResetsFor(tx, userId);
      });
      return changed;
    });
    return withCookiesOf(answer, {});
  }

  /**
   * Creates a secret and recovery codes, which are inactive until a code is confirmed.
   * @throws AppError 'wrong-password', 'second-factor-state', 'too-many-attempts'
   */
  async startSecondFactor(body: PasswordAgain, client: Client): Promise<Response> {
    const answer = await this.#forward(client, 'second-factor.start', '/two-factor/enable', body);
    const { totpURI, backupCodes } = (await answer.json()) as { totpURI: string; backupCodes: string[] };
    return withCookiesOf(answer, { uri: totpURI, recoveryCodes: backupCodes });
  }

  /** Activates the second factor. @throws AppError 'second-factor-refused', 'second-factor-state', 'too-many-attempts' */
  async confirmSecondFactor({ code }: { code: string }, client: Client): Promise<Response> {
    const answer = await this.#change(client, 'second-factor.add', (auth, userId) =>
      this.#options.verifyTotp({ client, auth, userId, code }),
    );
    return withCookiesOf(answer, {});
  }

  /** @throws AppError 'wrong-password', 'too-many-attempts' */
  async removeSecondFactor(body: PasswordAgain, client: Client): Promise<Response> {
    const answer = await this.#forward(client, 'second-factor.remove', '/two-factor/disable', body);
    return withCookiesOf(answer, {});
  }

  /** Replaces the recovery codes. @throws AppError 'wrong-password', 'second-factor-state', 'too-many-attempts' */
  async renewRecoveryCodes(body: PasswordAgain, client: Client): Promise<Response> {
    const path = '/two-factor/generate-backup-codes';
    const answer = await this.#forward(client, 'recovery-codes.renew', path, body);
    const { backupCodes } = (await answer.json()) as { backupCodes: string[] };
    return withCookiesOf(answer, { recoveryCodes: backupCodes });
  }

  /** @throws AppError 'unknown-account-part' */
  async endSession(id: string, client: Client): Promise<void> {
    await this.#endSessions('session.end', client, async (tx, userId) => {
      if (!(await deleteSession(tx, userId, id))) throw new AppError('unknown-account-part');
    });
    this.#options.sessions.forget({ by: 'session', id });
  }

  async endAllSessions(client: Client): Promise<void> {
    const ownId = await this.#endSessions('session.end-all', client, (tx, userId) =>
      deleteSessionsOf(tx, userId),
    );
    this.#options.sessions.forget({ by: 'user', id: ownId });
  }

  async #readOwner(client: Client) {
    const { sessions, database } = this.#options;
    const session = await sessions.read(client);
    const user =
      session === null ? null : await readUser((await database.open()).orm, session.viewer.id ?? '');
    if (session === null || user === null) throw new AppError('sign-in-needed');
    return { session, user, viewer: session.viewer };
  }

  #forward(client: Client, action: AuditAction, path: string, body: unknown): Promise<Response> {
    return this.#change(client, action, (auth) => this.#options.forward({ client, auth, path, body }));
  }

  /** Sends a change that requires the password or a code to better-auth, and records the result or the refusal. */
  async #change(
    client: Client,
    action: AuditAction,
    send: (auth: Auth, userId: string) => Promise<Response>,
  ): Promise<Response> {
    const { attempts, auths, audit, sessions } = this.#options;
    const { user, viewer } = await this.#readOwner(client);
    const { address } = client;
    const attempt = { address, account: user.email };
    await attempts.take(attempt);
    const answer = await send(await auths.for(client), user.id);
    const outcome = answer.ok ? 'done' : 'refused';
    await audit.record({ by: viewer, action, subject: user.email, address, outcome });
    if (!answer.ok) return refuse(answer);
    await attempts.succeed(attempt);
    sessions.forget({ by: 'user', id: user.id });
    return answer;
  }

  /** Ends sessions in one transaction with the audit record; returns the user's id. */
  async #endSessions(
    action: AuditAction,
    client: Client,
    end: (tx: Executor, userId: string) => Promise<void>,
  ): Promise<string> {
    const { user, viewer } = await this.#readOwner(client);
    const { database, audit } = this.#options;
    await change({ viewer, client, database, audit }, action, async (tx, record) => {
      await end(tx, user.id);
      await record(viewer.email ?? undefined);
    });
    return user.id;
  }
}
