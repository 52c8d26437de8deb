import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import type { MadeLink, MailOutcome } from '@/lib/users/schema';
import { toInvitationMail, toResetMail } from './mailer';
import type { Mail, SendMail } from './mailer';

const TOKEN_BYTES = 32;

/** The random token of a link, which cannot be derived from its stored hash. */
export const createLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a link token: SHA-256. Only passwords need a slow hash. */
export const toTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The two kinds of link, by the path of the page. */
const MAILS = { '/join': toInvitationMail, '/reset': toResetMail };

/** Creates links with tokens, and sends them by e-mail. */
export const createLinkMaker = (options: {
  /** Scheme, host and port of this server in browsers; null: a link is a path. */
  publicUrl: string | null;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  onMailFailed: (error: unknown) => void;
}) => {
  const { publicUrl, sendMail, onMailFailed } = options;
  const send = async (mail: Mail): Promise<MailOutcome> => {
    if (sendMail === null) return 'none';
    try {
      await sendMail(mail);
      return 'sent';
    } catch (error) {
      onMailFailed(error);
      return 'failed';
    }
  };
  return {
    canMail: sendMail !== null,
    /**
     * The link of a page, mailed to its recipient if a mail server is configured. The token is in the fragment,
     * which browsers do not send, so no server or proxy log and no Referer contains it.
     */
    make: async (
      page: keyof typeof MAILS,
      { email, token, expiresAtMs }: { email: string; token: string; expiresAtMs: number },
    ): Promise<MadeLink> => {
      const link = `${publicUrl ?? ''}${page}#${token}`;
      return { email, link, expiresAtMs, mail: await send(MAILS[page]({ to: email, link, expiresAtMs })) };
    },
  };
};

export type LinkMaker = ReturnType<typeof createLinkMaker>;
