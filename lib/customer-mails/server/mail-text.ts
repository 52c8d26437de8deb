import 'server-only';
import { toTranslate, type Language, type Translate } from '@/lib/catalog/catalog';
import { betweenText, rangeText, zoneText, momentText, type ZonedReader } from '@/lib/catalog/measures';
import { toUsualReader } from '@/lib/catalog/reader';
import type { Mail } from '@/lib/jobs/mailer';
import type { MailSubject } from '@/lib/loads/mails';
import type { SharedWindow } from '@/lib/shares/view';

/** What a mail to a customer says, Unix ms. */
export interface CustomerMail {
  about: MailSubject;
  to: string;
  language: Language;
  carrier: string;
  /** The load's references. */
  load: string;
  stop: { name: string; timeZone: string; appointment: { fromMs: number; toMs: number } | null };
  /** When the stop was left, or for a mail about free time reached, between two reports; null: not part of the mail. */
  left: { afterMs: number; byMs: number | null } | null;
  /** Null: not part of the mail. */
  window: SharedWindow | null;
  /** When free time ends; null: it is not about that. */
  freeEndsMs: number | null;
  /** The address of a link to the load; null: none is open. */
  link: string | null;
  /** Where these mails are ended. */
  endsAt: string;
}

/** A range of times has its date, as a mail is read on any day. */
const NO_DAY_MS = 0;

const toLeftText = (reader: ZonedReader, { afterMs, byMs }: NonNullable<CustomerMail['left']>): string =>
  byMs === null
    ? toTranslate(reader.language)('range.after', { time: momentText(reader, afterMs, NO_DAY_MS) })
    : betweenText(reader, afterMs, byMs);

const listHappened = (
  translate: Translate,
  reader: ZonedReader,
  { about, carrier, load, stop, left, window, freeEndsMs }: CustomerMail,
): string[] => {
  const named = { carrier, load, stop: stop.name };
  if (about === 'freeTime') {
    const ends = { time: momentText(reader, freeEndsMs!, NO_DAY_MS), zone: zoneText(reader, freeEndsMs!) };
    const arrived = left && { range: toLeftText(reader, left) };
    return [
      translate('mail.freeTime.text', named),
      [translate('mail.freeTime.ends', ends), arrived && translate('mail.freeTime.arrived', arrived)]
        .filter(Boolean)
        .join(' '),
    ];
  }
  if (about === 'late') {
    const { appointment } = stop;
    const rangeOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
      fromMs === toMs ? momentText(reader, fromMs, NO_DAY_MS) : rangeText(reader, fromMs, toMs, NO_DAY_MS);
    const zone = zoneText(reader, (window ?? appointment)?.fromMs ?? NO_DAY_MS);
    return [
      translate('mail.late.text', named),
      window
        ? [
            translate('mail.late.window', { range: rangeOf(window), zone }),
            ...(window.isGraded ? [translate('arrival.held')] : []),
          ].join(' ')
        : '',
      appointment ? translate('appointment', { range: rangeOf(appointment) }) : '',
    ];
  }
  const texts = {
    pickup: translate('mail.pickup.text', named),
    delivery: translate('mail.delivery.text', named),
  };
  if (left === null) return [texts[about]];
  const at = { range: toLeftText(reader, left), zone: zoneText(reader, left.afterMs) };
  const when = {
    pickup: translate('mail.pickup.left', at),
    delivery: translate('mail.delivery.left', at),
  };
  return [texts[about], `${when[about]} ${translate('mail.between')}`];
};

/** A mail to a customer in their language: text alone, of which nothing is loaded. */
export const toCustomerMail = (mail: CustomerMail): Omit<Mail, 'messageId'> => {
  const { about, to, language, load, stop, link, endsAt } = mail;
  const translate = toTranslate(language);
  const reader = toUsualReader(language, stop.timeZone);
  const subjects = {
    pickup: translate('mail.pickup.subject', { load }),
    delivery: translate('mail.delivery.subject', { load }),
    late: translate('mail.late.subject', { load }),
    freeTime: translate('mail.freeTime.subject', { load }),
  };
  return {
    ...{ to, subject: subjects[about], endsAt },
    text: [
      ...listHappened(translate, reader, mail),
      link === null ? '' : `${translate('mail.link')}\n${link}`,
      `${translate('mail.end')}\n${endsAt}`,
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  };
};
