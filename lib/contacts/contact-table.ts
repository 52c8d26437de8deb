import { z } from '@/lib/base/zod';
import { fold } from '@/lib/base/text/text';
import { formatPhone } from '@/lib/identity/phone';
import { parseVin } from '@/lib/identity/vin';
import {
  findHeader,
  findRepeatedColumns,
  findSpoiled,
  findWrongLength,
  type Table,
} from '@/lib/table-files/table';
import type { UnitContact } from '@/lib/view/marks';
import type { NamedUnit, TableFault } from '@/lib/table-files/fleet-table';
import { CONTACT_COLUMNS, FIELDS_BY_COLUMN, type ContactField } from '@/lib/table-files/contact-columns';
import { CONTACT_FIELDS, CONTACT_PARTS } from './contact';

export interface ReadContacts {
  /** The parts whose columns the file has, by line; lines with a fault are left out. */
  byLine: ReadonlyMap<number, Partial<Record<ContactField, string>>>;
  faults: TableFault[];
}

/** One part from its cell, or what is wrong with it; `unread` says why a workbook's cell has no text. */
const readPart = (
  field: ContactField,
  cell: string,
  unread: string | undefined,
): { value: string } | { fault: string } => {
  const spoiled = unread ?? findSpoiled(cell);
  if (spoiled !== null) return { fault: spoiled };
  // Programs write .0 behind a whole number.
  const parsed = z.safeParse(CONTACT_PARTS[field], cell.replace(/^(\d{10,11})\.0+$/, '$1'));
  return parsed.success ? { value: parsed.data } : { fault: parsed.error.issues[0]!.message };
};

/** The contacts in a table whose header `isHeader` accepts; other columns are left to the caller. */
export const readContacts = (table: Table, isHeader: (columns: string[]) => boolean): ReadContacts => {
  const { columns, headerLine, rows } = findHeader(table, isHeader);
  const places = columns.flatMap((column, at) => {
    const field = FIELDS_BY_COLUMN.get(column);
    return field === undefined ? [] : [{ field, column, at }];
  });
  const faults: TableFault[] = findRepeatedColumns(columns, (name) => FIELDS_BY_COLUMN.get(name) ?? null).map(
    ([first, other]) => ({
      line: headerLine,
      column: columns[other!]!,
      message: `the column means the same as ${columns[first!]!}; delete one`,
    }),
  );
  const byLine = new Map<number, Partial<Record<ContactField, string>>>();
  for (const { line, cells, faults: unread = {} } of rows) {
    if (cells.every((cell, at) => cell.trim() === '' && unread[at] === undefined)) continue;
    const parts: Partial<Record<ContactField, string>> = {};
    let isGood = true;
    for (const { field, column, at } of places) {
      const read = readPart(field, cells[at] ?? '', unread[at]);
      if ('value' in read) parts[field] = read.value;
      else {
        faults.push({ line, column, message: read.fault });
        isGood = false;
      }
    }
    if (isGood) byLine.set(line, parts);
  }
  return { byLine, faults };
};

/** Some parts of a unit's contact. */
export type ContactParts = Pick<UnitContact, 'unit'> & Partial<Record<ContactField, string>>;

export interface ContactChange {
  column: string;
  before: string | null;
  after: string | null;
}

const toShown = (field: ContactField, value: string): string | null =>
  value === '' ? null : field.endsWith('Phone') ? formatPhone(value) : value;

/** The contact of a unit with some parts in place of its own, and what that changes. */
export const mergeContact = (
  unit: string,
  known: UnitContact | null,
  parts: Partial<Record<ContactField, string>>,
): { contact: UnitContact; changes: ContactChange[] } => {
  const before = Object.fromEntries(CONTACT_FIELDS.map((field) => [field, known?.[field] ?? '']));
  const contact = { ...before, ...parts, unit } as UnitContact;
  const changes = CONTACT_FIELDS.filter((field) => contact[field] !== before[field]).map((field) => ({
    column: CONTACT_COLUMNS[field],
    before: toShown(field, before[field]!),
    after: toShown(field, contact[field]),
  }));
  return { contact, changes };
};

export interface PlannedContact {
  line: number;
  /** The truck by its number, or else its VIN. */
  name: string;
  kind: 'added' | 'changed' | 'unchanged';
  /** The parts whose columns the file has: the others stay as they are stored. */
  contact: ContactParts;
  changes: ContactChange[];
}

/** The effect of importing a file of contacts. */
export interface ContactPlan {
  planned: PlannedContact[];
  faults: TableFault[];
  warnings: TableFault[];
}

/** The columns that name a truck, by what they hold. */
const NAME_COLUMNS = {
  vin: ['vin'],
  truckNumber: ['truck_number', 'truck', 'truck_no', 'unit', 'unit_number', 'unit_no'],
} as const;

export const isContactHeader = (columns: readonly string[]): boolean =>
  columns.some((column) =>
    [...NAME_COLUMNS.vin, ...NAME_COLUMNS.truckNumber].some((name) => name === column),
  );

const nameOf = ({ key, vin, truckNumber }: NamedUnit): string => truckNumber ?? vin ?? key;

/** A truck number as it is compared: programs write .0 behind a whole number. */
const toNumberKey = (number: string): string => fold(number.trim().replace(/^(\d+)\.0+$/, '$1'));

/** Finds the units that a row may mean, by its VIN, or without one by its truck number. */
const createFind = (units: readonly NamedUnit[]) => {
  const byVin = new Map(units.flatMap((unit) => (unit.vin === null ? [] : [[unit.vin, unit]])));
  const byNumber = new Map<string, NamedUnit[]>();
  for (const unit of units) {
    const number = fold(unit.truckNumber?.trim() ?? '');
    if (number !== '') byNumber.set(number, [...(byNumber.get(number) ?? []), unit]);
  }
  return (vin: string, number: string): NamedUnit[] => {
    if (vin === '') return byNumber.get(fold(number)) ?? byNumber.get(toNumberKey(number)) ?? [];
    const found = byVin.get(parseVin(vin) ?? '');
    return found === undefined ? [] : [found];
  };
};

const findColumn = (columns: readonly string[], kind: keyof typeof NAME_COLUMNS, from = 0): number =>
  columns.findIndex((column, at) => at >= from && NAME_COLUMNS[kind].some((name) => name === column));

const listHeaderFaults = (columns: readonly string[], line: number): TableFault[] => {
  const faults: TableFault[] = [];
  const numberAt = findColumn(columns, 'truckNumber');
  const otherAt = numberAt < 0 ? -1 : findColumn(columns, 'truckNumber', numberAt + 1);
  if (otherAt >= 0) {
    const message = `the column means the same as ${columns[numberAt]!}; delete one`;
    faults.push({ line, column: columns[otherAt]!, message });
  }
  if (numberAt < 0 && findColumn(columns, 'vin') < 0)
    faults.push({ line, column: null, message: 'there is no column vin or truck_number' });
  if (!columns.some((column) => FIELDS_BY_COLUMN.has(column))) {
    const known = Object.values(CONTACT_COLUMNS).join(', ');
    faults.push({ line, column: null, message: `there is no column of contacts; these are ${known}` });
  }
  return faults;
};

/** What a file of contacts by VIN or truck number would change for the units of a fleet. */
export const planContacts = (
  table: Table,
  units: readonly NamedUnit[],
  known: readonly UnitContact[],
): ContactPlan => {
  const { columns, headerLine, rows } = findHeader(table, isContactHeader);
  const [vinAt, numberAt] = [findColumn(columns, 'vin'), findColumn(columns, 'truckNumber')];
  const { byLine, faults } = readContacts(table, isContactHeader);
  const broken = table.broken.map((row) => ({ ...row, column: null }));
  const plan: ContactPlan = {
    planned: [],
    faults: [...faults, ...broken, ...listHeaderFaults(columns, headerLine)],
    warnings: [],
  };
  const add = (to: TableFault[], line: number, message: string) =>
    void to.push({ line, column: null, message });
  if (plan.faults.some(({ line }) => line === headerLine)) return plan;
  const find = createFind(units);
  const contacts = new Map(known.map((contact) => [contact.unit, contact]));
  const lines = new Map<string, number>();
  for (const { line, cells, faults: unread = {} } of rows) {
    const parts = byLine.get(line);
    if (parts === undefined) continue;
    const unreadable = unread[vinAt] ?? unread[numberAt] ?? findWrongLength({ cells }, { columns });
    if (unreadable !== null) {
      add(plan.faults, line, unreadable);
      continue;
    }
    const [vin, number] = [vinAt, numberAt].map((at) => cells[at]?.trim() ?? '') as [string, string];
    const [unit, other] = find(vin, number);
    const said = vin || number;
    if (said === '') add(plan.faults, line, 'it names no truck');
    else if (unit === undefined)
      add(plan.warnings, line, `no truck of this fleet is ${said}; the line is left out`);
    else if (other !== undefined)
      add(plan.faults, line, `more than one truck has the number ${said}; give its VIN`);
    else if (lines.has(unit.key)) add(plan.faults, line, `${said} is on line ${lines.get(unit.key)} already`);
    else {
      lines.set(unit.key, line);
      if (vin !== '' && number !== '' && !find('', number).includes(unit))
        add(
          plan.warnings,
          line,
          `the VIN is of ${nameOf(unit)}, not of ${number}; the line is read by its VIN`,
        );
      const before = contacts.get(unit.key) ?? null;
      const { changes } = mergeContact(unit.key, before, parts);
      const contact = { ...parts, unit: unit.key };
      const kind = changes.length === 0 ? 'unchanged' : before === null ? 'added' : 'changed';
      plan.planned.push({ line, name: nameOf(unit), kind, contact, changes });
    }
  }
  return plan;
};
