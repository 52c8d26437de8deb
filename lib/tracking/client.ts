import 'server-only';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Clock } from '@/lib/base/clock';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Reported } from '@/lib/wire/unit';
import { TrackingError } from './errors';
import { Transport, type TransportOptions } from './http/transport';
import { createSalvageNotes, describe, describeEnvelope } from './normalize/salvage';
import { normalizeUnit } from './normalize/unit';
import { normalizeVins } from './normalize/vin';
import { accountSchema, reportedSchema, vinCarrierSchema, vinListSchema } from './schema';
import type { SalvageReport, TrackedUnit } from './unit';
import { createUnitsParser } from './units-parser';
import { AppError } from '@/lib/base/http/problems';
import { createClientLimit, type SharedCount } from '@/lib/base/http/client-limit';

/** Fleets whose newest answer is cached for a 304; beyond this many, requests cost bandwidth, not correctness. */
const CACHED_FLEETS = 16;

interface ReadOptions {
  signal?: AbortSignal;
}

export interface UnitsAnswer {
  units: TrackedUnit[];
  report: SalvageReport;
  /** Records that no field identifies: any unit that is missing may be one of them. */
  unreadable: number;
  /** The provider's text of an error that it reports beside its list; null or absent: none. */
  errorBeside?: string | null;
  /** When the answer was complete, Unix milliseconds. */
  answeredAtMs: number;
  /** The lead of our clock over the provider's, ms, to a second or two; null where that is not known. */
  clockLeadMs: number | null;
}

/** The five calls of the tracking API, and one of Linehaul's own service. @throws TrackingError; the reason of `signal` when that aborts */
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
  /** The report of a unit's device. Other providers have no such call. */
  readReported(usdot: string, vin: string, options?: ReadOptions): Promise<Reported>;
}

/** The part of an answer that a 304 confirms. */
type CachedAnswer = Omit<UnitsAnswer, 'answeredAtMs' | 'clockLeadMs'>;

/** The result of a 304 whose answer is no longer cached. */
const NOTHING = { json: null, etag: null, repairs: [] };

/** The JSON of one call, named in errors as `call`. */
const requireShape = <T>(schema: z.ZodType<T>, json: unknown, call: string, expected: string): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const message = `${call}: got ${describeEnvelope(json)} when ${expected} is expected.`;
  throw new TrackingError('shape', message, { cause: parsed.error });
};

const createUnitsReader = (transport: Transport, clock: Clock): TrackingClient['readUnits'] => {
  const cache = new LRUCache<string, { etag: string; answer: CachedAnswer }>({ max: CACHED_FLEETS });
  return async (usdot, { signal } = {}) => {
    const cached = cache.get(usdot);
    const parser = createUnitsParser(usdot, clock);
    const records = { key: 'units', take: parser.take };
    const got = await transport.get(['api', 'units', usdot], { signal, etag: cached?.etag, records });
    const answeredAtMs = clock.nowMs();
    const { clockLeadMs } = got;
    if (got.isUnchanged && cached) return { ...cached.answer, answeredAtMs, clockLeadMs };
    const { json, etag, repairs } = got.isUnchanged ? NOTHING : got;
    const { fault, ...answer } = parser.end(json, repairs);
    if (fault) throw new TrackingError(fault.kind, `GET /api/units/${usdot}: ${fault.message}.`);
    // A record from the future is read again each time, until that time has come.
    const isFinal = answer.units.every((unit) => (unit.fixAtMs ?? 0) <= answeredAtMs);
    if (etag !== null && isFinal) cache.set(usdot, { etag, answer });
    else cache.delete(usdot);
    return { ...answer, answeredAtMs, clockLeadMs };
  };
};

/** The VIN's unit in the answer to `call`; a unit without a VIN is the one that was requested. */
const requireUnit = (json: unknown, vin: string, call: string, nowMs: number): TrackedUnit => {
  const unit = normalizeUnit(json, 'unit', nowMs, createSalvageNotes());
  if (unit === null)
    throw new TrackingError('shape', `${call}: got ${describe(json)} when a unit is expected.`);
  const given = unit.identity.vin;
  if (given === null) return { ...unit, identity: { ...unit.identity, key: vin, vin } };
  if (given === vin) return unit;
  throw new TrackingError('mismatch', `${call}: got the unit ${describe(given)} when ${vin} is expected.`);
};

const requireVins = (json: unknown, call: string): { vins: string[]; report: SalvageReport } => {
  const { unreadable, ...roster } = normalizeVins(requireShape(vinListSchema, json, call, 'a list of VINs'));
  if (unreadable <= roster.vins.length) return roster;
  throw new TrackingError(
    'shape',
    `${call}: got a list in which ${unreadable} entries are no VIN, and ${roster.vins.length} are.`,
  );
};

/** The typed client of the tracking API. */
export const createTrackingClient = (options: TransportOptions): TrackingClient => {
  const transport = new Transport(options);
  const getJson = async (segments: readonly string[], { signal }: ReadOptions = {}): Promise<unknown> => {
    const got = await transport.get(segments, { signal });
    // Without an ETag of ours the transport treats a 304 as an error.
    return got.isUnchanged ? null : got.json;
  };
  return {
    readUnits: createUnitsReader(transport, options.clock),
    readUnit: async (usdot, vin, read) => {
      const json = await getJson(['api', 'units', usdot, vin], read);
      return requireUnit(json, vin, `GET /api/units/${usdot}/${vin}`, options.clock.nowMs());
    },
    readVins: async (usdot, read) =>
      requireVins(await getJson(['api', 'vin-numbers', usdot], read), `GET /api/vin-numbers/${usdot}`),
    readAccount: async (read) => {
      const json = await getJson(['api', 'carrier'], read);
      return requireShape(accountSchema, json, 'GET /api/carrier', 'a carrier with its USDOT number');
    },
    readCarrier: async (vin, read) => {
      const json = await getJson(['api', 'carrier', vin], read);
      const expected = 'an MC number and a USDOT number';
      return requireShape(vinCarrierSchema, json, `GET /api/carrier/${vin}`, expected);
    },
    readReported: async (usdot, vin, read) => {
      const json = await getJson(['extensions', 'units', usdot, vin], read);
      const call = `GET /extensions/units/${usdot}/${vin}`;
      return requireShape(reportedSchema, json, call, 'what a device reported');
    },
  };
};

/** All pages share one allowance across all viewers. */
const PAGES = 'pages';

/**
 * A client of at most a sustained `callsPerS`, and a burst of ten times as many, which made-up VINs and USDOT numbers
 * of pages would exceed. Its calls also reject with AppError 'too-many-calls'.
 */
export const createBoundedClient = (
  client: TrackingClient,
  {
    callsPerS,
    ...options
  }: { callsPerS: number; clock: Pick<Clock, 'monotonicMs'>; shared?: SharedCount | null },
): TrackingClient => {
  const limit = createClientLimit({ requestsPerS: callsPerS, ...options });
  const bound =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const waitS = limit.take(PAGES);
      if (waitS === 0) return call(...args);
      throw new AppError('too-many-calls', {
        message: `Got more than ${callsPerS} questions a second for the provider.`,
        retryAfterS: waitS,
      });
    };
  return {
    readUnits: bound(client.readUnits),
    readUnit: bound(client.readUnit),
    readVins: bound(client.readVins),
    readAccount: bound(client.readAccount),
    readCarrier: bound(client.readCarrier),
    readReported: bound(client.readReported),
  };
};
