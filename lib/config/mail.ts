import 'server-only';
import type { MailSettings } from '@/lib/users/server/mailer';
import { isGiven, parseUrl, text } from './values';
import type { Source } from './values';

export const smtpUrl = text.refine(
  (value) => {
    const url = value === undefined ? null : parseUrl(value);
    return value === undefined || (/^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== '');
  },
  { error: 'must be an SMTP URL (smtp://user:password@host:587, or smtps://)' },
);

export const mailFrom = text.refine(
  (value) =>
    value === undefined || /^([^<>,\r\n]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(value),
  { error: 'must be an e-mail address, as in Linehaul <fleet@example.com>' },
);

/** A mailed link uses the configured address, because any client can forge the host of a request. */
export const toMailFaults = (source: Source): string[] => {
  if (isGiven(source, 'SMTP_URL')) {
    return ['MAIL_FROM', 'PUBLIC_URL']
      .filter((name) => !isGiven(source, name))
      .map((name) => `${name} must be set with SMTP_URL.`);
  }
  return isGiven(source, 'MAIL_FROM') ? ['MAIL_FROM is set without SMTP_URL: set both or neither.'] : [];
};

/** Null where no mail server is configured. */
export const toMail = (url: string | undefined, from: string | undefined): MailSettings | null =>
  url && from ? { url, from } : null;
