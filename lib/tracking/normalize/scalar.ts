import 'server-only';
import { toPrintable } from '@/lib/identity/text';
import type { NoteRepair } from './salvage';

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
