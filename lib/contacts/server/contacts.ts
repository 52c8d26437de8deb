import 'server-only';
import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm';
import { requireKey } from '@/lib/access/input';
import { isSeenUnit, requireSeenUnit } from '@/lib/access/unit-limit';
import { change, listChanges, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
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

/** Rows of one statement, each with a parameter for each of its columns. */
const ROWS = 1000;
/** Changes that each have an audit record of their own; of more the record of the whole has the number. */
const MOST_RECORDED = 20;

/**
 * Stores parts of whom to call about units, each of which is named once; a part that is left out stays as it is stored, and
 * a contact whose parts are all empty is removed. Returns how many contacts have changed. @throws AppError 'too-many-contacts'
 */
export const writeContacts = async (
  tx: Executor,
  record: RecordAction,
  usdot: string,
  contacts: readonly ContactParts[],
  changedMs: number,
): Promise<number> => {
  await lockFleet(tx, usdot);
  const known = await readContactsOf(
    tx,
    usdot,
    contacts.map(({ unit }) => unit),
  );
  const changed = contacts.flatMap((parts) => {
    const before = known.get(parts.unit) ?? NO_CONTACT;
    const after = { ...NO_CONTACT, ...before, ...parts };
    const changes = listChanges(before, after, CONTACT_FIELDS);
    return Object.keys(changes).length === 0 ? [] : [{ after, changes }];
  });
  for (let at = 0; at < changed.length; at += ROWS) {
    const part = changed.slice(at, at + ROWS).map(({ after }) => after);
    const isOne = sql`${unitContacts.unit} = any(${sql.param(part.map(({ unit }) => unit))}::text[])`;
    await tx.delete(unitContacts).where(and(eq(unitContacts.usdot, usdot), isOne));
    const held = part.filter((contact) => CONTACT_FIELDS.some((field) => contact[field] !== ''));
    if (held.length > 0)
      await tx.insert(unitContacts).values(held.map((contact) => ({ ...contact, usdot, changedMs })));
  }
  await requireRoom(tx, usdot);
  if (changed.length <= MOST_RECORDED)
    for (const { after, changes } of changed)
      await record(after.unit, { usdot, ...changes }, 'contact.change');
  return changed.length;
};

/** Throws unless the fleet has the units; the writers of contacts are locked. */
type RequireUnits = (tx: Executor, units: readonly string[]) => Promise<void>;

/** Imports contacts of a fleet's units, all or none. @throws AppError 'malformed-key', 'too-many-contacts' */
export const importContacts = async (
  context: ActionContext,
  usdot: string,
  contacts: readonly ContactParts[],
  requireUnits?: RequireUnits,
): Promise<void> => {
  const units = contacts.map(({ unit }) => unit);
  for (const unit of units) requireKey(unit);
  await change(context, 'contact.import', async (tx, record) => {
    // A removal beside it has either removed the vehicle by now, or removes what is written here.
    await lockFleet(tx, usdot);
    await requireUnits?.(tx, units);
    const changed = await writeContacts(tx, record, usdot, contacts, context.clock.nowMs());
    await record(undefined, { usdot, trucks: contacts.length, changed });
  });
};

/** Deletes whom to call about a unit that is removed. */
export const deleteContact = (
  tx: Executor,
  record: RecordAction,
  usdot: string,
  unit: string,
): Promise<number> => writeContacts(tx, record, usdot, [{ unit, ...NO_CONTACT }], 0);

/** Sets whom to call about a unit. @throws AppError 'malformed-key', 'unknown-unit', 'too-many-contacts' */
export const changeContact = async (
  context: ActionContext,
  usdot: string,
  contact: UnitContact,
  requireUnits?: RequireUnits,
): Promise<void> => {
  requireKey(contact.unit);
  await requireSeenUnit(context.database, context.viewer, usdot, contact.unit);
  await change(context, 'contact.change', async (tx, record) => {
    await lockFleet(tx, usdot);
    await requireUnits?.(tx, [contact.unit]);
    await writeContacts(tx, record, usdot, [contact], context.clock.nowMs());
  });
};
