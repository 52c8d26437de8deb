import 'server-only';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { isJsonObject } from './json-object';
import type { JsonObject } from './json-object';
import { mergeDuplicates } from './normalise-duplicates';
import { normaliseUnit } from './normalise-unit';
import { createSalvageNotes, describe } from './salvage';
import type { SalvageNotes } from './salvage';
import type { SalvageReport, TrackedUnit } from './unit';

/** Why the whole answer is rejected, as text for an engineer. */
export interface AnswerFault {
  kind: 'shape' | 'errorInside' | 'unusable' | 'mismatch';
  words: string;
}

export interface ParsedUnits {
  units: TrackedUnit[];
  report: SalvageReport;
  /** Records that no field identifies: their units are unknown. */
  unreadable: number;
  /** Set where the answer as a whole is invalid; the readable part of it is given too. */
  fault: AnswerFault | null;
}

/** A fault of an answer that was read nevertheless. */
export interface Mended {
  where: string;
  got: string;
  readAs: string;
}

export interface UnitsParser {
  /** Receives records of the list as they arrive. */
  take(records: readonly unknown[]): void;
  /**
   * Receives the text around the list, with an empty one in its place, and returns the result for the whole
   * answer; `mended` is what had to be repaired before it could be read as JSON.
   */
  end(json: unknown, mended?: readonly Mended[]): ParsedUnits;
}

/** Empty lists, empty objects, 0 and false mean that there was no error. */
const isSaid = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const toErrorWords = (error: unknown): unknown => {
  const { message, code } = isJsonObject(error) ? error : { message: error };
  return message ?? code ?? error;
};

const LEAST_ERROR_STATUS = 400;

/** The error in an answer whose HTTP status is a success; null where it has none. */
const findErrorInside = (envelope: JsonObject): { words: unknown } | null => {
  const { error, errors, success, ok, status, message } = envelope;
  if (isSaid(error)) return { words: toErrorWords(error) };
  if (isSaid(errors)) return { words: toErrorWords(Array.isArray(errors) ? errors[0] : errors) };
  const hasFailed =
    success === false ||
    ok === false ||
    (typeof status === 'number' && status >= LEAST_ERROR_STATUS) ||
    (typeof status === 'string' && /^(error|fail|failed|failure)$/i.test(status));
  return hasFailed ? { words: message } : null;
};

/** The contract has no such field; an answer that has one nevertheless names its own fleet. */
const findOtherUsdot = ({ usdot, usDotNumber }: JsonObject, asked: string): string | null => {
  const said = usdot ?? usDotNumber;
  const number = typeof said === 'string' || typeof said === 'number' ? parseUsdot(String(said)) : null;
  return number === null || number === asked ? null : number;
};

const describeEnvelope = (json: unknown): string => {
  const fields = isJsonObject(json) ? Object.keys(json).slice(0, 8) : [];
  return fields.length > 0 ? `an object of ${describe(fields.join(', '))}` : describe(json);
};

const findFault = (
  json: unknown,
  usdot: string,
  { records, units, notes }: { records: number; units: number; notes: SalvageNotes },
): AnswerFault | null => {
  if (isJsonObject(json)) {
    const other = findOtherUsdot(json, usdot);
    if (other !== null) {
      return {
        kind: 'mismatch',
        words: `got the units of USDOT ${other} when those of ${usdot} are expected`,
      };
    }
    const error = findErrorInside(json);
    if (error !== null && units === 0) {
      return { kind: 'errorInside', words: `got an error inside a success: ${describe(error.words)}` };
    }
    if (error !== null) notes.repaired('error', error.words, null);
    if (!Array.isArray(json.units)) {
      const words = `got ${describeEnvelope(json)} when an object with a list of units is expected`;
      return { kind: 'shape', words };
    }
  } else if (Array.isArray(json)) notes.repaired('units', 'a bare list', 'the list of units');
  else {
    return { kind: 'shape', words: `got ${describe(json)} when an object with a list of units is expected` };
  }
  if (records === 0 || units > 0) return null;
  const [example = ''] = notes.toReport().examples;
  return { kind: 'unusable', words: `got ${records} records, none of which is a unit (${example})` };
};

/**
 * Parses the units of GET /api/units/:usdot from any JSON: each record alone, so that a bad one never costs
 * the others. Never throws. `now` is called once, when the first records have come; `notes` are those of the
 * answer.
 */
export const createUnitsParser = (usdot: string, now: () => number): UnitsParser => {
  const notes = createSalvageNotes();
  const units: TrackedUnit[] = [];
  let records = 0;
  let nowMs: number | null = null;
  return {
    take: (taken) => {
      nowMs ??= now();
      for (const record of taken) {
        const unit = normaliseUnit(record, `units[${records++}]`, nowMs, notes);
        if (unit !== null) units.push(unit);
      }
    },
    end: (json, mended = []) => {
      for (const { where, got, readAs } of mended) notes.repaired(where, got, readAs);
      const fault = findFault(json, usdot, { records, units: units.length, notes });
      const unreadable = records - units.length;
      return {
        units: mergeDuplicates(units, nowMs ?? now(), notes),
        report: notes.toReport(),
        unreadable,
        fault,
      };
    },
  };
};
