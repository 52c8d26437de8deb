import { z } from '@/lib/base/zod';
import { isPrintable } from './text';
import { parseUsdot, isDemoUsdot, parseMcNumber } from './carrier-numbers';

/** The sources of fleets: the demo, a provider's tracking API, or the embedded tracking service with own trucks. */
export const FLEET_SOURCES = ['demo', 'provider', 'own'] as const;
export type FleetSource = (typeof FLEET_SOURCES)[number];

const MAX_NAME_CHARACTERS = 200;

type Parse = (text: string) => string | null;

/** The text as `parse` writes it; null for an empty field. */
export const optional = (parse: Parse, message: string) =>
  z.string().transform((text, context) => {
    const value = text.trim() === '' ? null : parse(text);
    if (value === null && text.trim() !== '') context.addIssue({ code: 'custom', message });
    return value;
  });

export const NO_USDOT = 'A USDOT number has 1 to 8 digits.';

/** The carrier whose own trucks are tracked. */
export const carrierSchema = z.strictObject({
  companyName: z
    .string()
    .trim()
    .min(1, 'Give the name of the carrier.')
    .max(MAX_NAME_CHARACTERS, `A name has at most ${MAX_NAME_CHARACTERS} characters.`)
    .refine(isPrintable, 'A name has no line breaks and no invisible characters.'),
  usdot: optional(parseUsdot, NO_USDOT).pipe(
    z.string(NO_USDOT).refine((usdot) => !isDemoUsdot(usdot, true), 'This number belongs to the demo.'),
  ),
  mcNumber: optional(parseMcNumber, 'An MC number looks like MC-123456.'),
});
export type OwnCarrier = z.output<typeof carrierSchema>;
