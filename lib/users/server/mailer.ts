import 'server-only';
import { createTransport } from 'nodemailer';

const TIMEOUT_MS = 15_000;

export interface Mail {
  to: string;
  subject: string;
  /** Plain text, without hidden, remote or active content. */
  text: string;
}

export interface MailSettings {
  /** smtp://user:password@host:port, or smtps:// */
  url: string;
  /** Such as "Linehaul <fleet@example.com>". */
  from: string;
}

/** Sends one mail. @throws errors of the mail server or the connection */
export type SendMail = (mail: Mail) => Promise<void>;

/** Sends by SMTP, over one connection per mail because mails are rare. */
export const createMailer = ({ url, from }: MailSettings): SendMail => {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The text is literal: no path or URL in it is loaded.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  };
};
