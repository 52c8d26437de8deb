import type { UnitIdentity } from '@/lib/wire/fleet';

/** What a dock types at most. */
export const MOST_TYPED = 40;
const [VIN_LENGTH, VIN_END] = [17, 8];

/** Words that people write before a number. */
const LEADING = /^\s*(?:truck|tractor|unit|vin|plate|no|nr|#)(?:[\s.:#]+|(?=\d))/i;

/** Letters and digits in upper case, without what people write between them. */
const squeeze = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** What is typed at a dock, as it is compared and kept; null: it names no truck. */
export const readTyped = (text: string): string | null => {
  if (text.length > MOST_TYPED) return null;
  const typed = squeeze(text.replace(LEADING, '')) || squeeze(text);
  return typed === '' ? null : typed;
};

/** A VIN has no I, O or Q, which are read in place of digits. */
const asVin = (text: string): string => text.replace(/[OQ]/g, '0').replaceAll('I', '1');
const asNumber = (text: string): string => text.replace(/^0+(?=\d)/, '');

export type MatchedBy = 'vin' | 'plate' | 'number';

/**
 * By what a typed text names a truck: its VIN or the last 8 characters of it, its plate with or without the state, or its
 * truck number; null: it does not.
 */
export const matchTruck = (
  typed: string,
  truck: Pick<UnitIdentity, 'vin' | 'plateState' | 'plateNumber' | 'truckNumber'>,
): MatchedBy | null => {
  const vin = squeeze(truck.vin ?? '');
  const end = typed.length === VIN_LENGTH ? vin : typed.length === VIN_END ? vin.slice(-VIN_END) : '';
  if (end !== '' && end === asVin(typed)) return 'vin';
  const plate = squeeze(truck.plateNumber ?? '');
  if (plate !== '' && (typed === plate || typed === squeeze(truck.plateState ?? '') + plate)) return 'plate';
  const number = squeeze(truck.truckNumber ?? '');
  return number !== '' && asNumber(typed) === asNumber(number) ? 'number' : null;
};
