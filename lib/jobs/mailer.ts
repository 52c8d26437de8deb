import 'server-only';
import { createTransport } from 'nodemailer';

const TIMEOUT_MS = 15_000;

export interface Mail {
  to: string;
  subject: string;
  /** Plain text, without hidden, remote or active content. */
  text: string;
  /** A table that goes with the mail. */
  csv?: { fileName: string; text: string };
  /** A document that goes with the mail. */
  pdf?: { fileName: string; bytes: Buffer };
  /** Stays the same for each attempt to send the mail; absent: each attempt has its own. */
  messageId?: string;
  /** Where its reader ends such mails, with one request (RFC 8058). */
  endsAt?: string;
}

export interface MailSettings {
  /** smtp://user:password@host:port, or smtps:// */
  url: string;
  /** Such as "Linehaul <fleet@example.com>". */
  from: string;
}

/** Sends one mail. @throws errors of the mail server or the connection, which `toMailProblem` reads */
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
  const domain = from.replace(/^.*@|>$/g, '');
  return async ({ to, subject, text, csv, pdf, messageId, endsAt }) => {
    const id = messageId === undefined ? {} : { messageId: `<${messageId}@${domain}>` };
    const attachments = [
      ...(csv ? [{ filename: csv.fileName, content: csv.text, contentType: 'text/csv; charset=utf-8' }] : []),
      ...(pdf ? [{ filename: pdf.fileName, content: pdf.bytes, contentType: 'application/pdf' }] : []),
    ];
    const ending = endsAt !== undefined && {
      headers: {
        'List-Unsubscribe': `<${endsAt}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
    };
    const address = { name: '', address: to };
    await transport.sendMail({ from, to: address, subject, text, attachments, ...id, ...ending });
  };
};

interface SmtpError {
  code?: unknown;
  responseCode?: unknown;
  response?: unknown;
}

const MAX_REASON_CHARACTERS = 300;

/** Why a mail was not sent, and whether for good (RFC 5321, 4.2.1); a refused sign-in waits for the repair of the settings. */
export const toMailProblem = (error: unknown): { isPermanent: boolean; reason: string } => {
  const { code, responseCode, response } = (error ?? {}) as SmtpError;
  const status = typeof responseCode === 'number' ? responseCode : null;
  if (status === null || code === 'EAUTH')
    return {
      isPermanent: false,
      reason:
        code === 'EAUTH'
          ? 'The mail server refuses the user or the password of SMTP_URL.'
          : 'The mail server cannot be reached.',
    };
  const text = (typeof response === 'string' ? response : String(status)).replace(/\s+/g, ' ').trim();
  return {
    isPermanent: status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'),
    reason: text.slice(0, MAX_REASON_CHARACTERS),
  };
};

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' });

interface LinkMail {
  to: string;
  link: string;
  expiresAtMs: number;
}

/** The mail of an invitation, without the sender's name, which an attacker could fill with text of their own. */
export const toInvitationMail = ({ to, link, expiresAtMs }: LinkMail): Mail => ({
  to,
  subject: 'Your invitation to Linehaul',
  text: [
    'You are invited to Linehaul, the live map of your fleet.',
    `Open this link to choose your name and a password:\n${link}`,
    `It can be used once, until ${DAY.format(expiresAtMs)}. Do not forward this mail: anyone who has the link can join in your place.`,
  ].join('\n\n'),
});

export const toResetMail = ({ to, link, expiresAtMs }: LinkMail): Mail => ({
  to,
  subject: 'A new password for Linehaul',
  text: [
    `Open this link to choose a new password for ${to}:\n${link}`,
    `It can be used once, until ${DAY.format(expiresAtMs)}, and ends every session you have.`,
    'If you did not request it, ignore this mail: your password stays as it is.',
  ].join('\n\n'),
});
