import 'server-only';
import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm';
import { requireKey } from '@/lib/access/input';
import { isSeenUnit, requireSeenUnit } from '@/lib/access/unit-limit';
import { change, listChanges, type ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import type { UnitContact } from '@/lib/view/marks';
import type { ContactField } from '@/lib/table-files/contact-columns';
import { CONTACT_FIELDS } from '../contact';
import type { ContactParts } from '../contact-table';
import { unitContacts } from './tables';

/** Trucks of a fleet with contacts: every browser that shows the fleet reads all of them. */
const MAX_CONTACTS = 100_000;

const { usdot: _usdot, changedMs: _changedMs, ...shown } = getTableColumns(unitContacts);
const NO_CONTACT = Object.fromEntries(CONTACT_FIELDS.map((field) => [field, ''])) as Record<
  ContactField,
  string
>;

const isUnit = (usdot: string, unit: string) =>
  and(eq(unitContacts.usdot, usdot), eq(unitContacts.unit, unit));

const requireRoom = async (tx: Executor, usdot: string): Promise<void> => {
  const [held] = await tx
    .select({ contacts: count() })
    .from(unitContacts)
    .where(eq(unitContacts.usdot, usdot));
  if (held!.contacts > MAX_CONTACTS) throw new AppError('too-many-contacts');
};

/** Whom to call about the units of a fleet that a viewer sees, in the order of their keys. */
export const listContacts = (
  orm: Executor,
  usdot: string,
  viewer: Pick<Viewer, 'tags'>,
): Promise<UnitContact[]> =>
  orm
    .select(shown)
    .from(unitContacts)
    .where(and(eq(unitContacts.usdot, usdot), isSeenUnit(viewer, usdot, unitContacts.unit)))
    .orderBy(asc(unitContacts.unit));

/** Whom to call about some units, by their keys. */
export const readContactsOf = async (
  orm: Executor,
  usdot: string,
  units: readonly string[],
): Promise<ReadonlyMap<string, UnitContact>> => {
  const rows = await orm
    .select(shown)
    .from(unitContacts)
    .where(and(eq(unitContacts.usdot, usdot), sql`${unitContacts.unit} = any(${sql.param(units)}::text[])`));
  return new Map(rows.map((contact) => [contact.unit, contact]));
};

/** Stores whom to call about a unit; one whose parts are all empty is removed. Returns what was stored before. */
export const writeContact = async (
  tx: Executor,
  usdot: string,
  { unit, ...parts }: UnitContact,
  changedMs: number,
): Promise<Record<ContactField, string>> => {
  const [before] = await tx.select(shown).from(unitContacts).where(isUnit(usdot, unit)).for('update');
  if (CONTACT_FIELDS.every((field) => parts[field] === '')) {
    await tx.delete(unitContacts).where(isUnit(usdot, unit));
  } else {
    const stored = { ...parts, changedMs };
    await tx
      .insert(unitContacts)
      .values({ usdot, unit, ...stored })
      .onConflictDoUpdate({ target: [unitContacts.usdot, unitContacts.unit], set: stored });
  }
  return before ?? NO_CONTACT;
};

/** Rows of one statement, each with a parameter for each of its columns. */
const ROWS = 1000;

/** Stores whom to call about units, those whose parts are all empty by removing them. */
export const writeContacts = async (
  tx: Executor,
  usdot: string,
  contacts: readonly UnitContact[],
  changedMs: number,
): Promise<void> => {
  for (let at = 0; at < contacts.length; at += ROWS) {
    const part = contacts.slice(at, at + ROWS);
    const units = part.map(({ unit }) => unit);
    const isOne = sql`${unitContacts.unit} = any(${sql.param(units)}::text[])`;
    await tx.delete(unitContacts).where(and(eq(unitContacts.usdot, usdot), isOne));
    const held = part.filter((contact) => CONTACT_FIELDS.some((field) => contact[field] !== ''));
    if (held.length > 0)
      await tx.insert(unitContacts).values(held.map((contact) => ({ ...contact, usdot, changedMs })));
  }
  await requireRoom(tx, usdot);
};

/** Imports contacts of a fleet's units, all or none; a part that is left out stays as it is stored. @throws AppError 'malformed-key', 'too-many-contacts' */
export const importContacts = async (
  context: ActionContext,
  usdot: string,
  contacts: readonly ContactParts[],
): Promise<void> => {
  const units = contacts.map(({ unit }) => requireKey(unit));
  await change(context, 'contact.import', async (tx, record) => {
    const known = await readContactsOf(tx, usdot, units);
    const merged = contacts.map((parts) => ({ ...NO_CONTACT, ...known.get(parts.unit), ...parts }));
    await writeContacts(tx, usdot, merged, context.clock.nowMs());
    await record(undefined, { usdot, trucks: contacts.length });
  });
};

/** Deletes whom to call about a unit that is removed. */
export const deleteContact = async (tx: Executor, usdot: string, unit: string): Promise<void> => {
  await tx.delete(unitContacts).where(isUnit(usdot, unit));
};

/** Sets whom to call about a unit. @throws AppError 'malformed-key', 'unknown-unit', 'too-many-contacts' */
export const changeContact = async (
  context: ActionContext,
  usdot: string,
  contact: UnitContact,
): Promise<void> => {
  requireKey(contact.unit);
  await requireSeenUnit(context.database, context.viewer, usdot, contact.unit);
  await change(context, 'contact.change', async (tx, record) => {
    const before = await writeContact(tx, usdot, contact, context.clock.nowMs());
    await requireRoom(tx, usdot);
    const changes = listChanges(before, contact, CONTACT_FIELDS);
    if (Object.keys(changes).length > 0) await record(contact.unit, { usdot, ...changes });
  });
};
