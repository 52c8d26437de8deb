import 'server-only';
import { isJsonObject } from '../schema';
import type { SalvageReport } from '../unit';
import { toPrintable } from '@/lib/identity/text';

/** How many cases a report describes; the rest are only counted. */
const EXAMPLES_KEPT = 10;
const EXCERPT_CHARACTERS = 40;

/** A value as text, short enough for a log line whatever a provider sent. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const excerpt = JSON.stringify(value.slice(0, EXCERPT_CHARACTERS));
    return value.length > EXCERPT_CHARACTERS ? `${excerpt}…` : excerpt;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

/** A value as text, by the names of its first fields where it is an object. */
export const describeEnvelope = (json: unknown): string => {
  const fields = isJsonObject(json) ? Object.keys(json).slice(0, 8) : [];
  return fields.length > 0 ? `an object of ${describe(fields.join(', '))}` : describe(json);
};

/** Notes that a field was repaired: its value, and what it was read as. */
export type NoteRepair = (field: string, got: unknown, readAs: string | number | null) => void;

export interface SalvageNotes {
  dropped: (where: string, why: string) => void;
  repaired: (where: string, got: unknown, readAs: string | number | null) => void;
  toReport: () => SalvageReport;
}

/** Counts the dropped records and repaired fields of one answer, and describes the first cases. */
export const createSalvageNotes = (): SalvageNotes => {
  let [dropped, repaired] = [0, 0];
  /** Kept apart, so that many repaired fields never displace the name of a dropped record. */
  const drops: string[] = [];
  const repairs: string[] = [];
  return {
    dropped: (where, why) => {
      dropped++;
      if (drops.length < EXAMPLES_KEPT) drops.push(`${where}: left out, ${why}`);
    },
    repaired: (where, got, readAs) => {
      repaired++;
      if (repairs.length >= EXAMPLES_KEPT) return;
      repairs.push(
        `${where}: got ${describe(got)}, read as ${readAs === null ? 'nothing' : describe(readAs)}`,
      );
    },
    toReport: () => ({ dropped, repaired, examples: [...drops, ...repairs].slice(0, EXAMPLES_KEPT) }),
  };
};

/** Longer than any name, plate or device id; the rest is cut off. */
const MAX_TEXT_CHARACTERS = 120;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A text of a record: trimmed, and null where it is absent, blank or not a text or number. */
export const normalizeText = (value: unknown, field: string, noteRepair: NoteRepair): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value)) {
    noteRepair(field, value, String(value));
    return String(value);
  }
  if (typeof value !== 'string') {
    noteRepair(field, value, null);
    return null;
  }
  const trimmed = value.trim();
  const text = toPrintable(trimmed.slice(0, MAX_TEXT_CHARACTERS));
  if (text !== trimmed) noteRepair(field, value, text);
  return text === '' ? null : text;
};

/** A number of a record, also from a text; null where it is absent, blank or not a number. */
export const normalizeNumber = (value: unknown, field: string, noteRepair: NoteRepair): number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const text = typeof value === 'string' ? value.trim() : null;
  if (text === '') return null;
  const number = text !== null && DECIMAL.test(text) ? Number(text) : NaN;
  const readAs = Number.isFinite(number) ? number : null;
  noteRepair(field, value, readAs);
  return readAs;
};
