import 'server-only';
import { bigint, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { linehaul, instant } from '@/lib/database/tables';

/** The servers that share the fleets, each with its last heartbeat; those of another version of messages ignore each other. */
export const sharingServers = linehaul.table('sharing_servers', {
  id: text('id').primaryKey(),
  version: text('version').notNull(),
  beatAt: instant('beat_at').notNull(),
  stated: jsonb('stated').notNull(),
});

/** Which server polls a fleet: a lease lasts as long as its server's heartbeats. Null: it was handed over. */
export const fleetLeases = linehaul.table(
  'fleet_leases',
  {
    version: text('version').notNull(),
    usdot: text('usdot').notNull(),
    server: text('server'),
    fence: bigint('fence', { mode: 'number' }).notNull(),
    takenAt: instant('taken_at').notNull(),
    /** When the server that has handed it over polled the fleet last. */
    polledAt: instant('polled_at'),
  },
  (table) => [primaryKey({ columns: [table.version, table.usdot] })],
);
