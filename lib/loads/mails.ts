import type { Language } from '@/lib/catalog/catalog';
import { isVisible, z } from '@/lib/base/zod';

/** What a mail to a customer is about: a stop was left with the load, the window has moved beyond the appointment, or free time ends soon. */
export const MAIL_SUBJECTS = ['pickup', 'delivery', 'late', 'freeTime'] as const;
export type MailSubject = (typeof MAIL_SUBJECTS)[number];

/** The languages of the catalog, without loading the catalog in a browser. */
export const MAIL_LANGUAGES = ['en', 'es', 'fr'] as const satisfies readonly Language[];

export const LANGUAGE_LABELS: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Spanish',
  fr: 'French',
};

export const MOST_ADDRESSES = 10;
/** Mails to customers that a fleet sends within 24 hours; more wait. */
export const MOST_DAILY_MAILS = 5000;

/** Whom mails about a load go to, Unix ms. */
export interface MailedAddress {
  address: string;
  /** What happened earlier is not reported. */
  sinceMs: number;
  /** When its reader ended the mails to it; null: they go on. */
  endedMs: number | null;
  /** False: it was taken off the load's list after it had been ended; absent: it is on the list. */
  isListed?: boolean;
}

const addressSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An address has at most 254 characters.')
  .refine(isVisible, 'An address has no line breaks and no invisible characters.')
  // One of several.
  .pipe(z.email({ error: ({ input }) => `Not an e-mail address: ${String(input)}.` }));

/** Mails to the customer of a load, as they are chosen. */
export const loadMailsSchema = z.strictObject({
  addresses: z
    .array(addressSchema)
    .max(MOST_ADDRESSES, `Mails about a load go to at most ${MOST_ADDRESSES} addresses.`),
  about: z.array(z.enum(MAIL_SUBJECTS)).max(MAIL_SUBJECTS.length),
  language: z.enum(MAIL_LANGUAGES),
});
export type LoadMailsInput = z.infer<typeof loadMailsSchema>;

/** GET /api/fleets/:usdot/loads/:id/mails */
export interface LoadMails extends LoadMailsInput {
  /** Addresses whose readers want no more mails about this load. */
  ended: string[];
  /** Whether this server can send mails to customers. */
  canMail: boolean;
}

export const NO_MAILS: { addresses: string[]; about: MailSubject[]; language: Language } = {
  addresses: [],
  about: [],
  language: 'en',
};
