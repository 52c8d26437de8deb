import type { UnitIdentity } from '@/lib/wire/fleet';
import { marksOf } from './marks';

/** What the list may show of each unit besides its name, state, place and age, in this order. */
export const LIST_COLUMNS = ['plate', 'vin', 'vehicle', 'device', 'tags'] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

export const COLUMN_LABELS: Readonly<Record<ListColumn, string>> = {
  plate: 'Plate',
  vin: 'VIN',
  vehicle: 'Year, make, model',
  device: 'Device',
  tags: 'Tags',
};

type Text = string | number | null;

const TEXTS_OF: Readonly<Record<ListColumn, (unit: UnitIdentity) => readonly Text[]>> = {
  plate: ({ plateState, plateNumber }) => [plateState, plateNumber],
  vin: ({ vin }) => [vin],
  vehicle: ({ year, make, model }) => [year, make, model],
  device: ({ deviceId }) => [deviceId],
  tags: (unit) => [marksOf(unit).tags.join(', ')],
};

/** The columns of a unit as one line, without those that it has not: "TX R48 2207 · 2022 Volvo VNL 760". */
export const columnsText = (unit: UnitIdentity, columns: readonly ListColumn[]): string =>
  columns
    .map((column) => TEXTS_OF[column](unit).filter(Boolean).join(' '))
    .filter((text) => text !== '')
    .join(' · ');
