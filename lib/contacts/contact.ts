import { z, isVisible } from '@/lib/base/zod';
import { hasTwoPhones, parsePhone } from '@/lib/identity/phone';
import type { ContactField } from '@/lib/table-files/contact-columns';

export const LONGEST_NAME = 80;
export const LONGEST_TEXT = 300;

const lineSchema = (longest: number, what: string) =>
  z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .max(longest, `${what} has at most ${longest} characters.`)
        .refine(isVisible, `${what} has no invisible characters.`),
    );

const NAME = lineSchema(LONGEST_NAME, 'A name');

const NOT_A_PHONE =
  'Enter a phone number with its area code, such as (512) 555-0123, or one of another country with + and its code.';

const HAS_WORDS = 'Enter the digits of the phone number alone, and words under “Good to know”.';

const TWO_PHONES = 'This has two numbers. Enter one here, and the other under “Good to know”.';

const PHONE = z
  .string()
  .max(60, NOT_A_PHONE)
  .transform((typed, context) => {
    if (typed.trim() === '') return '';
    const phone = parsePhone(typed);
    if (phone !== null) return phone;
    const isWordy = /\d/.test(typed) && /\p{L}{3}/u.test(typed);
    const message = hasTwoPhones(typed) ? TWO_PHONES : isWordy ? HAS_WORDS : NOT_A_PHONE;
    context.addIssue({ code: 'custom', message });
    return '';
  });

/** The parts of a contact as people write them, read as they are stored. */
export const CONTACT_PARTS = {
  driver: NAME,
  driverPhone: PHONE,
  secondDriver: NAME,
  secondDriverPhone: PHONE,
  dispatcher: NAME,
  dispatcherPhone: PHONE,
  text: lineSchema(LONGEST_TEXT, 'A text'),
} satisfies Record<ContactField, z.ZodType<string>>;

export const CONTACT_FIELDS = Object.keys(CONTACT_PARTS) as ContactField[];

/** PUT /api/fleets/:usdot/contacts; a contact whose parts are all empty is removed. */
export const contactInputSchema = z.strictObject({ unit: z.string(), ...CONTACT_PARTS });

/** The most trucks that one import names. */
const MOST_IMPORTED = 20_000;
/** Room for so many contacts of the usual length. */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

/** POST /api/fleets/:usdot/contacts/import; a part that is left out stays as it is stored. */
export const contactImportSchema = z.strictObject({
  contacts: z
    .array(contactInputSchema.partial().required({ unit: true }))
    .min(1)
    .max(MOST_IMPORTED, 'The file has contacts of more than 20,000 trucks. Import it in parts.')
    .refine(
      (contacts) => new Set(contacts.map(({ unit }) => unit)).size === contacts.length,
      'A truck is named twice.',
    ),
});
