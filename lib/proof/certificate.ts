import { z } from '@/lib/base/zod';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { LATEST_MS } from './content';

/** What a certificate says besides fixes and gaps. */
export const CERTIFICATE_FIELDS = ['truckNumber', 'vin', 'plate', 'status', 'place', 'sites'] as const;
export type CertificateField = (typeof CERTIFICATE_FIELDS)[number];
/** By one of these a reader knows which truck is meant. */
export const NAMING_FIELDS: readonly CertificateField[] = ['truckNumber', 'vin', 'plate'];

/** One of the days may have 25 hours. */
export const LONGEST_MS = DAY_MS + HOUR_MS;

const TIME = 'Choose a time.';
/** Unix ms. */
const momentSchema = z.int(TIME).min(0, TIME).max(LATEST_MS, TIME);

/** POST /api/fleets/:usdot/certificates: where a truck was at a moment (both times are the same) or in a range, Unix ms. */
export const certificateInputSchema = z
  .strictObject({
    unit: z.string().min(1).max(140),
    fromMs: momentSchema,
    toMs: momentSchema,
    fields: z.array(z.enum(CERTIFICATE_FIELDS)).max(CERTIFICATE_FIELDS.length),
    /** Its number alone shows it to people without an account. */
    isShownByNumber: z.boolean(),
  })
  .refine(({ fromMs, toMs }) => fromMs <= toMs, {
    path: ['toMs'],
    message: 'The range ends before it begins.',
  })
  .refine(({ fromMs, toMs }) => toMs - fromMs <= LONGEST_MS, {
    path: ['toMs'],
    message: 'Choose a range of at most a day.',
  })
  .refine(({ fields }) => fields.some((field) => NAMING_FIELDS.includes(field)), {
    path: ['fields'],
    message: 'Choose at least one of truck number, VIN and plate.',
  });
export type CertificateInput = z.infer<typeof certificateInputSchema>;
