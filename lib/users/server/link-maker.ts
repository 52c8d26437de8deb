import 'server-only';
import type { MailOutcome } from '@/lib/users/schema';
import type { Mail, SendMail } from './mailer';

export interface LinkMakerOptions {
  /** Scheme, host and port of this server in browsers; null: a link is a path. */
  publicUrl: string | null;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  onMailFailed: (error: unknown) => void;
}

/** The two kinds of link, by the path of the page. */
export type LinkPage = '/join' | '/reset';

/** Creates links with tokens, and sends them by e-mail. */
export const createLinkMaker = ({ publicUrl, sendMail, onMailFailed }: LinkMakerOptions) => ({
  canMail: sendMail !== null,
  /**
   * The token stands in the fragment, which browsers do not send, so no server or proxy log and no Referer contains it.
   */
  toLink: (page: LinkPage, token: string): string => `${publicUrl ?? ''}${page}#${token}`,
  mail: async (mail: Mail): Promise<MailOutcome> => {
    if (sendMail === null) return 'none';
    try {
      await sendMail(mail);
      return 'sent';
    } catch (error) {
      onMailFailed(error);
      return 'failed';
    }
  },
});

export type LinkMaker = ReturnType<typeof createLinkMaker>;
