import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { isJsonObject, type JsonObject } from './schema';
import { mergeDuplicates } from './normalize/duplicates';
import { normalizeUnit } from './normalize/unit';
import { createSalvageNotes, describe, describeEnvelope, type SalvageNotes } from './normalize/salvage';
import type { SalvageReport, TrackedUnit } from './unit';

/** Why the whole answer is rejected, as text for an engineer. */
interface AnswerFault {
  kind: 'shape' | 'errorInside' | 'unusable' | 'mismatch';
  message: string;
}

interface ParsedUnits {
  units: TrackedUnit[];
  report: SalvageReport;
  /** Records that no field identifies: their units are unknown. */
  unreadable: number;
  /** The provider's text of an error that it reports beside the list; null: none. */
  errorBeside: string | null;
  /** Set where the answer as a whole is invalid; the readable part of it is given too. */
  fault: AnswerFault | null;
}

/** A fault of an answer that was read nevertheless. */
export interface AnswerRepair {
  where: string;
  got: string;
  readAs: string;
}

/** Empty lists, empty objects, 0 and false mean that there was no error. */
const isPresent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const toErrorText = (error: unknown): unknown => {
  const { message, code } = isJsonObject(error) ? error : { message: error };
  return message ?? code ?? error;
};

const LEAST_ERROR_STATUS = 400;

/** The error in an answer whose HTTP status is a success; null where it has none. */
const findErrorInside = (envelope: JsonObject): { message: unknown } | null => {
  const { error, errors, success, ok, status, message } = envelope;
  if (isPresent(error)) return { message: toErrorText(error) };
  if (isPresent(errors)) return { message: toErrorText(Array.isArray(errors) ? errors[0] : errors) };
  const hasFailed =
    success === false ||
    ok === false ||
    (typeof status === 'number' && status >= LEAST_ERROR_STATUS) ||
    (typeof status === 'string' && /^(error|fail|failed|failure)$/i.test(status));
  return hasFailed ? { message: message } : null;
};

/** The contract has no such field; an answer that has one nevertheless names its own fleet. */
const findOtherUsdot = ({ usdot, usDotNumber }: JsonObject, expected: string): string | null => {
  const given = usdot ?? usDotNumber;
  const number = typeof given === 'string' || typeof given === 'number' ? parseUsdot(String(given)) : null;
  return number === null || number === expected ? null : number;
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
        message: `got the units of USDOT ${other} when those of ${usdot} are expected`,
      };
    }
    const error = findErrorInside(json);
    if (error !== null && units === 0) {
      return { kind: 'errorInside', message: `got an error inside a success: ${describe(error.message)}` };
    }
    if (error !== null) notes.repaired('error', error.message, null);
    if (!Array.isArray(json.units)) {
      const message = `got ${describeEnvelope(json)} when an object with a list of units is expected`;
      return { kind: 'shape', message };
    }
  } else if (Array.isArray(json)) notes.repaired('units', 'a bare list', 'the list of units');
  else {
    return {
      kind: 'shape',
      message: `got ${describe(json)} when an object with a list of units is expected`,
    };
  }
  if (records === 0 || units > 0) return null;
  const [example = ''] = notes.toReport().examples;
  return { kind: 'unusable', message: `got ${records} records, none of which is a unit (${example})` };
};

/** Parses the units of GET /api/units/:usdot from any JSON, each alone. Never throws; the clock is read once. */
export const createUnitsParser = (usdot: string, clock: Clock) => {
  const notes = createSalvageNotes();
  const units: TrackedUnit[] = [];
  let records = 0;
  let nowMs: number | null = null;
  return {
    /** Receives records of the list as they arrive. */
    take: (taken: readonly unknown[]): void => {
      nowMs ??= clock.nowMs();
      for (const record of taken) {
        const unit = normalizeUnit(record, `units[${records++}]`, nowMs, notes);
        if (unit !== null) units.push(unit);
      }
    },
    /**
     * Returns the result from the text around the list, which is empty in it; `repairs` were needed to read it as JSON.
     */
    end: (json: unknown, repairs: readonly AnswerRepair[] = []): ParsedUnits => {
      for (const { where, got, readAs } of repairs) notes.repaired(where, got, readAs);
      const fault = findFault(json, usdot, { records, units: units.length, notes });
      const unreadable = records - units.length;
      const error = isJsonObject(json) && units.length > 0 ? findErrorInside(json) : null;
      return {
        errorBeside: error && describe(error.message),
        units: mergeDuplicates(units, nowMs ?? clock.nowMs(), notes),
        report: notes.toReport(),
        unreadable,
        fault,
      };
    },
  };
};
