import 'server-only';
import type { z } from 'zod';
import type { CarrierAccount } from '@/lib/wire/fleet';
import {
  TrackingErrorInsideError,
  TrackingMismatchError,
  TrackingShapeError,
  TrackingUnusableError,
} from './errors';
import { normaliseUnit } from './normalise-unit';
import { normaliseVins } from './normalise-vins';
import { createSalvageNotes, describe } from './salvage';
import { accountSchema, vinCarrierSchema, vinListSchema } from './schema';
import { createTransport } from './transport';
import type { TransportOptions } from './transport';
import type { SalvageReport, TrackedUnit } from './unit';
import { createUnitsParser } from './units-parser';
import type { AnswerFault } from './units-parser';

/**
 * Fleets whose newest answer is held for a 304; beyond this many, requests cost bandwidth, not correctness.
 */
const HELD_FLEETS = 16;

export interface ReadOptions {
  signal?: AbortSignal;
}

export interface UnitsAnswer {
  units: TrackedUnit[];
  report: SalvageReport;
  /** Records that no field identifies: any unit that is missing may be one of them. */
  unreadable: number;
  /** When the answer was complete, Unix milliseconds. */
  answeredAtMs: number;
  /**
   * By how much our clock is ahead of the provider's, in ms, to a second or two; null where that is not
   * known.
   */
  clockLeadMs: number | null;
}

/** The part of an answer that a 304 confirms. */
type HeldAnswer = Omit<UnitsAnswer, 'answeredAtMs' | 'clockLeadMs'>;

/** The five calls of the tracking API. Each rejects with one of the classes of errors.ts. */
export interface TrackingClient {
  /** Every unit active for the USDOT number. */
  readUnits(usdot: string, options?: ReadOptions): Promise<UnitsAnswer>;
  /** One unit by its VIN. */
  readUnit(usdot: string, vin: string, options?: ReadOptions): Promise<TrackedUnit>;
  /** The VINs that belong to the USDOT number, in the provider's order. */
  readVins(usdot: string, options?: ReadOptions): Promise<{ vins: string[]; report: SalvageReport }>;
  /** The carrier that the key belongs to. */
  readAccount(options?: ReadOptions): Promise<CarrierAccount>;
  /** The motor carrier that a VIN is registered to. */
  readCarrier(vin: string, options?: ReadOptions): Promise<{ mcNumber: string | null; usdot: string | null }>;
}

export type TrackingClientOptions = TransportOptions;

/** The result of a 304 whose answer is no longer held. */
const NOTHING = { json: null, etag: null, mended: [] };

const requireShape = <T>(schema: z.ZodType<T>, json: unknown, call: string, expected: string): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const fields =
    json !== null && typeof json === 'object' && !Array.isArray(json) ? Object.keys(json).slice(0, 8) : [];
  const got = fields.length > 0 ? `an object of ${describe(fields.join(', '))}` : describe(json);
  throw new TrackingShapeError(`${call}: got ${got} when ${expected} is expected.`, { cause: parsed.error });
};

const ERROR_OF: Record<AnswerFault['kind'], new (message: string) => TrackingShapeError> = {
  shape: TrackingShapeError,
  errorInside: TrackingErrorInsideError,
  unusable: TrackingUnusableError,
  mismatch: TrackingMismatchError,
};

/** The typed client of the tracking API, over any transport. */
export const createTrackingClient = (options: TrackingClientOptions): TrackingClient => {
  const { now } = options;
  const get = createTransport(options);
  const held = new Map<string, { etag: string; answer: HeldAnswer }>();

  const getJson = async (segments: readonly string[], signal: AbortSignal | undefined): Promise<unknown> => {
    const got = await get(segments, { signal });
    // Without an ETag of ours the transport treats a 304 as an error.
    return got.isUnchanged ? null : got.json;
  };

  const hold = (usdot: string, etag: string | null, answer: HeldAnswer): void => {
    held.delete(usdot);
    // A record from the future is judged again each time, until that time has come.
    const isJudgedForGood = answer.units.every((unit) => (unit.fixAtMs ?? 0) <= now());
    if (etag === null || !isJudgedForGood) return;
    held.set(usdot, { etag, answer });
    const [oldest] = held.keys();
    if (held.size > HELD_FLEETS && oldest !== undefined) held.delete(oldest);
  };

  return {
    readUnits: async (usdot, { signal } = {}) => {
      const last = held.get(usdot);
      const parser = createUnitsParser(usdot, now);
      const records = { key: 'units', take: parser.take };
      const got = await get(['api', 'units', usdot], { signal, etag: last?.etag, records });
      const answeredAtMs = now();
      const { clockLeadMs } = got;
      if (got.isUnchanged && last !== undefined) return { ...last.answer, answeredAtMs, clockLeadMs };
      const { json, etag, mended } = got.isUnchanged ? NOTHING : got;
      const { fault, ...answer } = parser.end(json, mended);
      if (fault !== null) throw new ERROR_OF[fault.kind](`GET /api/units/${usdot}: ${fault.words}.`);
      hold(usdot, etag, answer);
      return { ...answer, answeredAtMs, clockLeadMs };
    },

    readUnit: async (usdot, vin, { signal } = {}) => {
      const call = `GET /api/units/${usdot}/${vin}`;
      const json = await getJson(['api', 'units', usdot, vin], signal);
      const unit = normaliseUnit(json, 'unit', now(), createSalvageNotes());
      if (unit === null)
        throw new TrackingShapeError(`${call}: got ${describe(json)} when a unit is expected.`);
      const said = unit.identity.vin;
      if (said === vin) return unit;
      if (said !== null)
        throw new TrackingMismatchError(`${call}: got the unit ${describe(said)} when ${vin} is expected.`);
      return { ...unit, identity: { ...unit.identity, key: vin, vin } };
    },

    readVins: async (usdot, { signal } = {}) => {
      const json = await getJson(['api', 'vin-numbers', usdot], signal);
      const call = `GET /api/vin-numbers/${usdot}`;
      const { unreadable, ...roster } = normaliseVins(
        requireShape(vinListSchema, json, call, 'a list of VINs'),
      );
      if (unreadable > roster.vins.length)
        throw new TrackingShapeError(
          `${call}: got a list in which ${unreadable} entries are no VIN, and ${roster.vins.length} are.`,
        );
      return roster;
    },

    readAccount: async ({ signal } = {}) => {
      const json = await getJson(['api', 'carrier'], signal);
      return requireShape(accountSchema, json, 'GET /api/carrier', 'a carrier with its USDOT number');
    },

    readCarrier: async (vin, { signal } = {}) => {
      const json = await getJson(['api', 'carrier', vin], signal);
      return requireShape(
        vinCarrierSchema,
        json,
        `GET /api/carrier/${vin}`,
        'an MC number and a USDOT number',
      );
    },
  };
};
