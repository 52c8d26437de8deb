import { sql } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';

const toFieldName = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Ends what people keep about vehicles that leave a carrier, or about all of its (null), where the application is in this
 * database: contacts, with audit records, notes and tags are removed, and the next mail of a report about them is the last.
 */
export const endKept = async (tx: Executor, usdot: string, vins: readonly string[] | null): Promise<void> => {
  const { rows: found } = await tx.execute(sql`SELECT to_regclass('linehaul.report_mails') AS name`);
  if (found[0]!.name === null) return;
  await lockFleet(tx, usdot);
  const isLeaving = sql`usdot = ${usdot} AND (${vins === null} OR unit = ANY(${sql.param(vins ?? [])}::text[]))`;
  await tx.execute(
    sql`UPDATE linehaul.report_mails SET is_ending = true WHERE ${isLeaving} AND (unit IS NOT NULL OR tag IS NOT NULL)`,
  );
  for (const table of ['unit_notes', 'unit_tags'])
    await tx.execute(sql`DELETE FROM linehaul.${sql.identifier(table)} WHERE ${isLeaving}`);
  const { rows } = await tx.execute<Record<string, string>>(
    sql`DELETE FROM linehaul.unit_contacts WHERE ${isLeaving}
      RETURNING unit, driver, driver_phone, second_driver, second_driver_phone, dispatcher, dispatcher_phone, text`,
  );
  for (const { unit, ...row } of rows) {
    const parts = Object.entries(row).filter(([, before]) => before !== '');
    const changes = parts.map(([column, before]) => [toFieldName(column), { before, after: '' }]);
    const details = JSON.stringify({ usdot, ...Object.fromEntries(changes) });
    await tx.execute(sql`INSERT INTO linehaul.audit_log (at_ms, actor, action, subject, outcome, details)
      VALUES (${Date.now()}, 'command line', 'contact.change', ${unit}, 'done', ${details}::jsonb)`);
  }
};

/** Ends what a vehicle's carrier keeps about each that is about to drive for another; vehicles cannot change until `tx` ends. */
export const endKeptOfMoved = async (
  tx: Executor,
  vehicles: readonly { vin: string; usdot: string }[],
): Promise<void> => {
  const { rows } = await tx.execute<{ usdot: string; vins: string[] }>(
    sql`SELECT held.usdot, array_agg(held.vin) AS vins FROM tracking.vehicles AS held
      JOIN jsonb_to_recordset(${JSON.stringify(vehicles)}::jsonb) AS input (vin text, usdot text)
        ON held.vin = input.vin AND held.usdot <> input.usdot
      GROUP BY held.usdot ORDER BY held.usdot`,
  );
  for (const { usdot, vins } of rows) await endKept(tx, usdot, vins);
};
