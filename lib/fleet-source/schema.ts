import {
  optional,
  NO_USDOT,
  carrierSchema,
  type FleetSource,
  type OwnCarrier,
} from '@/lib/identity/own-carrier';
import { findBaseUrlFault } from '@/lib/base/http/base-url';
import { newPasswordSchema, emailSchema } from '../auth/schema';
import { personNameSchema, z } from '@/lib/base/zod';
import { parseUsdot } from '../identity/carrier-numbers';
const MAX_SECRET_CHARACTERS = 1000;

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
  /** Its name, such as the provider's host or the carrier. */
  text: string;
  /** The values with which the forms start: never a secret. */
  carrier: OwnCarrier | null;
  provider: { baseUrl: string; usdot: string | null } | null;
  /** Why it cannot be changed here; null: it can. */
  fixedBecause: 'environment' | 'scope' | null;
  /** A stored key that cannot be read any more. */
  isKeyLost: boolean;
  changed: { by: string; atMs: number } | null;
}
