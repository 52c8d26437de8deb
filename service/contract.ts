import { z } from '@hono/zod-openapi';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { parseVin } from '@/lib/identity/vin';

/*
 * Parameters and responses of the five endpoints. The responses are typed by these schemas, and the OpenAPI document is
 * generated from them. An unknown field is null, never absent.
 */

const VIN_EXAMPLE = '1XKYD49X8KJ900001';
const USDOT_EXAMPLE = '9000001';

const nullableText = (description: string, example: string) =>
  z.string().nullable().openapi({ description, example });

const coordinatesSchema = z
  .object({
    lat: z.number().openapi({ description: 'Latitude, decimal degrees, WGS 84.', example: 35.19938 }),
    lng: z.number().openapi({ description: 'Longitude, decimal degrees, WGS 84.', example: -101.8453 }),
  })
  .openapi('Coordinates');

const licensePlateSchema = z
  .object({
    state: nullableText('Plate state.', 'TX'),
    number: nullableText('Plate number.', 'R48 2107'),
  })
  .openapi('LicensePlate');

/** One vehicle at its newest fix. */
export const unitSchema = z
  .object({
    truckNumber: nullableText('Unit identifier of the vehicle.', '4107'),
    vin: z.string().openapi({ description: 'Vehicle Identification Number.', example: VIN_EXAMPLE }),
    coordinates: coordinatesSchema,
    timestamp: z.iso.datetime().openapi({
      description: 'When the device took the fix: ISO 8601, UTC, with milliseconds and Z.',
      example: '2026-03-05T15:04:05.000Z',
    }),
    licensePlate: licensePlateSchema,
    assetType: nullableText('Kind of asset, as the carrier names it.', 'Truck'),
    unixTimestamp: z.int().openapi({
      description: 'The same time in whole seconds since 1970-01-01T00:00:00Z.',
      example: 1772723045,
    }),
    deviceId: nullableText('Identifier of the tracking device.', '867730051234567'),
    make: nullableText('Vehicle make.', 'Kenworth'),
    model: nullableText('Vehicle model.', 'T680'),
    year: z.int().nullable().openapi({ description: 'Model year.', example: 2019 }),
    fuelType: nullableText('Fuel type, as the carrier names it.', 'Diesel'),
  })
  .openapi('Unit');
export type Unit = z.infer<typeof unitSchema>;

export const unitsSchema = z
  .object({ units: z.array(unitSchema).openapi({ description: 'Every active unit; empty where none is.' }) })
  .openapi('Units');

export const vinListSchema = z.array(z.string()).openapi('VinNumbers', {
  description: 'VINs, in the order in which the vehicles were added.',
  example: [VIN_EXAMPLE],
});

export const carrierAccountSchema = z
  .object({
    companyName: z.string().openapi({ example: 'Prairie Wind Freight' }),
    companyId: z.string().openapi({ example: 'prairie-wind' }),
    usdot: z.string().openapi({ example: USDOT_EXAMPLE }),
  })
  .openapi('CarrierAccount');
export type CarrierAccount = z.infer<typeof carrierAccountSchema>;

export const vinCarrierSchema = z
  .object({
    mcNumber: nullableText('Motor Carrier (MC) number; null where none is known.', 'MC-990001'),
    usDotNumber: z.string().openapi({ description: 'USDOT number.', example: USDOT_EXAMPLE }),
  })
  .openapi('VinCarrier');
export type VinCarrier = z.infer<typeof vinCarrierSchema>;

/** A path parameter that a parser of lib/identity reads, refused where the parser returns null. */
const parsedText = (parse: (text: string) => string | null, message: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const usdotParam = parsedText(parseUsdot, 'A USDOT number has 1 to 8 digits.').openapi({
  param: { name: 'usdot', in: 'path' },
  type: 'string',
  pattern: '^0*[1-9][0-9]{0,7}$',
  description: 'USDOT number: 1 to 8 digits; leading zeros do not count.',
  example: USDOT_EXAMPLE,
});

const vinParam = parsedText(parseVin, 'A VIN has 17 letters and digits, none of them I, O or Q.').openapi({
  param: { name: 'vin', in: 'path' },
  type: 'string',
  pattern: '^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$',
  description: 'VIN: 17 letters and digits without I, O and Q; upper or lower case.',
  example: VIN_EXAMPLE,
});

export const usdotParamsSchema = z.object({ usdot: usdotParam });
export const vinParamsSchema = z.object({ vin: vinParam });
export const unitParamsSchema = z.object({ usdot: usdotParam, vin: vinParam });
