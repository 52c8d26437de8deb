import { newPasswordSchema, emailSchema, personNameSchema } from '../auth/schema';
import { parseMcNumber, parseUsdot } from '../identity/carrier-numbers';
import { isPrintable } from '../identity/text';
import { isDemoUsdot } from '../view/carrier';
import { z } from '@/lib/base/zod';

/** Where the fleets come from: the demo, a provider's tracking API, or the embedded tracking service with own trucks. */
export const FLEET_SOURCES = ['demo', 'provider', 'own'] as const;
export type FleetSource = (typeof FLEET_SOURCES)[number];

const MAX_NAME_CHARACTERS = 200;
const MAX_SECRET_CHARACTERS = 1000;

type Parse = (text: string) => string | null;

/** The text, as `parse` writes it. */
const parsed = (parse: Parse, message: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** The same; null for an empty field. */
const optional = (parse: Parse, message: string) =>
  z.string().transform((text, context) => {
    const value = text.trim() === '' ? null : parse(text);
    if (value === null && text.trim() !== '') context.addIssue({ code: 'custom', message });
    return value;
  });

const NO_USDOT = 'A USDOT number has 1 to 8 digits.';

/**
 * Why a text is no base URL of a tracking API, as the end of a sentence; null: it is one. A bare "?" or "#" counts as a
 * query or a fragment, although a parsed URL shows neither: it would cut off the path that is appended.
 */
export const findBaseUrlFault = (text: string): string | null => {
  if (/[\s\\\p{C}]/u.test(text)) return 'must not hold blanks, backslashes or invisible characters';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  // Parsed, the sign alone shows neither.
  if (/^[^/]*\/*[^/?#]*@/.test(text)) return 'must not hold a user name or password';
  return /[?#]/.test(text) ? 'must not hold a query or a fragment' : null;
};

const toBaseUrl = (text: string): string => text.trim().replace(/\/+$/, '');

const baseUrlSchema = z
  .string()
  .transform(toBaseUrl)
  .superRefine((text, context) => {
    const fault = findBaseUrlFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: `The address ${fault}.` });
  });

const secretSchema = z
  .string()
  .trim()
  .min(1, 'Enter it as the provider gave it to you.')
  .max(MAX_SECRET_CHARACTERS, `It has at most ${MAX_SECRET_CHARACTERS} characters.`)
  .regex(/^[\x21-\x7e]*$/, 'It has a blank or a character that no key has.');

/** The carrier whose own trucks are tracked. */
export const carrierSchema = z.strictObject({
  companyName: z
    .string()
    .trim()
    .min(1, 'Give the name of the carrier.')
    .max(MAX_NAME_CHARACTERS, `A name has at most ${MAX_NAME_CHARACTERS} characters.`)
    .refine(isPrintable, 'A name has no line breaks and no invisible characters.'),
  usdot: parsed(parseUsdot, NO_USDOT).refine(
    (usdot) => !isDemoUsdot(usdot, true),
    'This number belongs to the demo.',
  ),
  mcNumber: optional(parseMcNumber, 'An MC number looks like MC-123456.'),
});
export type OwnCarrier = z.output<typeof carrierSchema>;

const providerSchema = z.strictObject({
  baseUrl: baseUrlSchema,
  apiKey: secretSchema,
  providerToken: secretSchema,
  usdot: optional(parseUsdot, NO_USDOT),
});

/** PUT /api/fleet-source: the new source and, in the demo, the manager who signs in from then on. */
export const sourceChangeSchema = z.strictObject({
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('demo') }),
    z.strictObject({ kind: z.literal('provider'), provider: providerSchema }),
    z.strictObject({ kind: z.literal('own'), carrier: carrierSchema }),
  ]),
  manager: z
    .strictObject({ name: personNameSchema, email: emailSchema, password: newPasswordSchema })
    .nullable(),
});
export type SourceChange = z.output<typeof sourceChangeSchema>;
export type SourceChangeInput = z.input<typeof sourceChangeSchema>;

/** The answer: the fleet that is read now. */
export const connectedSchema = z.object({ companyName: z.string(), usdot: z.string(), units: z.number() });
export type Connected = z.infer<typeof connectedSchema>;

/** The answer of DELETE /api/fleet-source/demo. */
export const demoRemovedSchema = z.object({ isRemoved: z.boolean() });

/** Where the fleets come from now, for the page on which managers choose. */
export interface ShownSource {
  /** Null while it is not known. */
  kind: FleetSource | null;
  /** What it is, such as the provider's host or the carrier. */
  text: string;
  /** What the forms start with: never a secret. */
  carrier: OwnCarrier | null;
  provider: { baseUrl: string; usdot: string | null } | null;
  /** Why it cannot be changed here; null: it can. */
  fixedBecause: 'environment' | 'scope' | null;
  /** A stored key that cannot be read any more. */
  isKeyLost: boolean;
  changed: { by: string; atMs: number } | null;
}
