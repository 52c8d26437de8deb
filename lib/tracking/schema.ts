import 'server-only';
import { z } from 'zod';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { toPrintable } from '@/lib/identity/text';

export type JsonObject = Record<string, unknown>;

/** Whether parsed JSON is an object, and no list. */
export const isJsonObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/**
 * The contract of the tracking API as this application understands it. It is written separately from the
 * service's own on purpose: a mistake in a shared schema would pass on both sides.
 */

/** A text, also given as a number; null where it is blank or absent. */
const loose = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const text = value == null ? '' : toPrintable(String(value).trim());
    return text === '' ? null : text;
  });

/** "1000007", "USDOT 1000007", "DOT#1000007"; null for a text that is no USDOT number, which contradicts nothing. */
const usdot = loose.transform((text) =>
  text === null ? null : parseUsdot(text.replace(/^(?:us\s*)?dot[\s#:.-]*/i, '')),
);

/** GET /api/vin-numbers/:usdot. */
export const vinListSchema = z.custom<unknown[]>(Array.isArray, 'expected a list of VINs');

/** GET /api/carrier. A name may be missing; the USDOT number, which everything depends on, may not. */
export const accountSchema = z
  .object({
    companyName: loose,
    companyId: loose,
    usdot: usdot.refine((value) => value !== null, 'expected a USDOT number'),
  })
  .transform(({ companyName, companyId, usdot: number }) => ({
    companyName: companyName ?? `USDOT ${number}`,
    companyId: companyId ?? '',
    usdot: number ?? '',
  }));

/** GET /api/carrier/:vin, whose USDOT number is spelled differently from the account's. */
export const vinCarrierSchema = z
  .object({ mcNumber: loose, usDotNumber: usdot })
  .transform(({ mcNumber, usDotNumber }) => ({ mcNumber, usdot: usDotNumber }));

const looseNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const looseTime = z.iso
  .datetime()
  .nullish()
  .transform((text) => (text == null ? null : Date.parse(text)));

/** GET /extensions/units/:usdot/:vin, which only Linehaul's own tracking service has. */
export const reportedSchema = z
  .object({
    timestamp: looseTime,
    speedKph: looseNumber,
    headingDeg: looseNumber,
    batteryPercent: looseNumber,
    isIgnitionOn: z.boolean().nullable(),
    odometerM: looseNumber,
    alarm: loose,
    reportsWithoutPosition: z.int(),
    heardWithoutPositionAt: looseTime,
  })
  .transform(({ timestamp, reportsWithoutPosition, heardWithoutPositionAt, ...reported }) => ({
    ...reported,
    fixAtMs: timestamp,
    noPositionCount: reportsWithoutPosition,
    noPositionAtMs: heardWithoutPositionAt,
  }));

/** The only field of a problem document that is read: a stable code of the error. */
export const problemCodeSchema = z.object({ code: z.string().regex(/^[A-Za-z][\w.-]{0,63}$/) });
