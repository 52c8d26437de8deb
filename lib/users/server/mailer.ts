import 'server-only';
import { createTransport } from 'nodemailer';

const TIMEOUT_MS = 15_000;

export interface Mail {
  to: string;
  subject: string;
  /** Plain text: nothing in it is hidden, loaded from elsewhere or run. */
  text: string;
}

export interface MailSettings {
  /** smtp://user:password@host:port, or smtps:// */
  url: string;
  /** As in "Linehaul <fleet@example.com>". */
  from: string;
}

/** Sends one mail. @throws what the mail server or the way to it says */
export type SendMail = (mail: Mail) => Promise<void>;

/** Sends by SMTP, over a connection for each mail: there are few. */
export const createMailer = ({ url, from }: MailSettings): SendMail => {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A text is a text: neither a path nor an address in it is read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  };
};
