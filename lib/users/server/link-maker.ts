import 'server-only';
import type { MailOutcome } from '@/lib/users/schema';
import type { Mail, SendMail } from './mailer';

export interface LinkMakerOptions {
  /** Scheme, host and port that browsers know this server by; null: a link is a path. */
  publicUrl: string | null;
  /** Null where no mail server is configured. */
  sendMail: SendMail | null;
  onMailFailed: (error: unknown) => void;
}

/** The two kinds of link, each the path of its page. */
export type LinkPage = '/join' | '/reset';

/** Links that bear a token, and the mails that they are sent by. */
export const createLinkMaker = ({ publicUrl, sendMail, onMailFailed }: LinkMakerOptions) => ({
  canMail: sendMail !== null,
  /** The token stands after the #, which no browser sends: so no log of a server or proxy has it, nor a Referer. */
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
