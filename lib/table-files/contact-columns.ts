import type { UnitContact } from '@/lib/view/marks';

/** A part of a contact. */
export type ContactField = Exclude<keyof UnitContact, 'unit'>;

/** The column of each part in a file that is made here. */
export const CONTACT_COLUMNS: Record<ContactField, string> = {
  driver: 'driver',
  driverPhone: 'driver_phone',
  secondDriver: 'second_driver',
  secondDriverPhone: 'second_driver_phone',
  dispatcher: 'dispatcher',
  dispatcherPhone: 'dispatcher_phone',
  text: 'good_to_know',
};

/** Other names that people give these columns. */
const OTHER_NAMES: Record<ContactField, readonly string[]> = {
  driver: ['driver_name', 'driver_1', 'driver1'],
  driverPhone: ['driver_s_phone', 'driver_cell', 'driver_mobile', 'driver_phone_number', 'phone', 'cell'],
  secondDriver: ['second_driver_name', 'co_driver', 'driver_2', 'driver2', 'team_driver'],
  secondDriverPhone: ['second_driver_s_phone', 'co_driver_phone', 'driver_2_phone', 'driver2_phone'],
  dispatcher: ['dispatcher_name', 'dispatch'],
  dispatcherPhone: ['dispatcher_s_phone', 'dispatch_phone'],
  text: ['contact_note', 'contact_notes'],
};

/** The part that a column means, by its name. */
export const FIELDS_BY_COLUMN: ReadonlyMap<string, ContactField> = new Map(
  (Object.keys(CONTACT_COLUMNS) as ContactField[]).flatMap((field) =>
    [CONTACT_COLUMNS[field], ...OTHER_NAMES[field]].map((name): [string, ContactField] => [name, field]),
  ),
);

/** The names of all columns that are read as parts of a contact. */
export const CONTACT_COLUMN_NAMES: readonly string[] = [...FIELDS_BY_COLUMN.keys()];
