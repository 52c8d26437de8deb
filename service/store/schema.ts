import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  pgSchema,
  primaryKey,
  real,
  text,
  unique,
} from 'drizzle-orm/pg-core';

/** A schema of its own, so that the service can share a database. */
export const tracking = pgSchema('tracking');

/**
 * The source of all revisions: one sequence for all carriers, never reset: a carrier that was removed
 * and created again can then not repeat a revision that a client still has.
 */
export const revisions = tracking.sequence('revisions');
const nextRevision = sql`nextval('tracking.revisions')`;

const timeMs = (name: string) => bigint(name, { mode: 'number' });
const revision = (name: string) => bigint(name, { mode: 'number' });
const sha256 = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * `revision` changes with everything that the five endpoints may answer for the carrier, `vehiclesRevision`
 * with its vehicles only. Writers of vehicles or fixes hold a lock on the carrier's row.
 */
export const carriers = tracking.table('carriers', {
  usdot: text('usdot').primaryKey(),
  companyName: text('company_name').notNull(),
  companyId: text('company_id').notNull(),
  mcNumber: text('mc_number'),
  revision: revision('revision').notNull().default(nextRevision),
  vehiclesRevision: revision('vehicles_revision').notNull().default(nextRevision),
  /** The greatest revision of the carrier's fixes; 0: it has none. */
  fixesRevision: revision('fixes_revision').notNull().default(0),
});

const ownerUsdot = () =>
  text('usdot')
    .notNull()
    .references(() => carriers.usdot, { onDelete: 'cascade' });

/** `usdot` is the fleet that a vehicle drives in; the registered numbers are set where they differ. */
export const vehicles = tracking.table(
  'vehicles',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    usdot: ownerUsdot(),
    vin: text('vin').notNull().unique(),
    truckNumber: text('truck_number'),
    deviceId: text('device_id'),
    plateState: text('plate_state'),
    plateNumber: text('plate_number'),
    assetType: text('asset_type'),
    make: text('make'),
    model: text('model'),
    year: integer('year'),
    fuelType: text('fuel_type'),
    registeredUsdot: text('registered_usdot'),
    registeredMcNumber: text('registered_mc_number'),
  },
  (table) => [unique('vehicles_usdot_device_id_unique').on(table.usdot, table.deviceId)],
);

const vehicleId = () =>
  integer('vehicle_id')
    .notNull()
    .references(() => vehicles.id, { onDelete: 'cascade' });

const fixColumns = () => ({
  fixAtMs: timeMs('fix_at_ms').notNull(),
  receivedAtMs: timeMs('received_at_ms').notNull(),
  lat: doublePrecision('lat').notNull(),
  lng: doublePrecision('lng').notNull(),
  speedKph: real('speed_kph'),
  headingDeg: real('heading_deg'),
  altitudeM: real('altitude_m'),
  accuracyM: real('accuracy_m'),
  batteryPercent: real('battery_percent'),
  isIgnitionOn: boolean('is_ignition_on'),
  odometerM: doublePrecision('odometer_m'),
  /** The alarm as the device names it; several are divided by commas. */
  alarm: text('alarm'),
});

/**
 * Every accepted fix, once. Retention uses the index on the time of arrival. `usdot` is the carrier whose device reported it,
 * which the vehicle may have left since, and `revision` that of the statement that stored it: taken under the lock on the
 * carrier's row, so that a carrier's revisions are in the order of commits. Both are null in rows older than the columns.
 */
export const fixes = tracking.table(
  'fixes',
  { vehicleId: vehicleId(), ...fixColumns(), usdot: text('usdot'), revision: revision('revision') },
  (table) => [
    primaryKey({ columns: [table.vehicleId, table.fixAtMs] }),
    index('fixes_received_at_ms_brin').using('brin', table.receivedAtMs),
    index('fixes_usdot_revision')
      .on(table.usdot, table.revision)
      .where(sql`revision IS NOT NULL`),
  ],
);

/**
 * The newest fix of each vehicle. `orderAtMs` is its place in order, min(fixAtMs, receivedAtMs);
 * `revision` the carrier's when it was written, so that a reader requests only the rows that it lacks.
 */
export const positions = tracking.table('positions', {
  vehicleId: vehicleId().primaryKey(),
  revision: revision('revision').notNull(),
  orderAtMs: timeMs('order_at_ms').notNull(),
  ...fixColumns(),
});

/** The reports without a position by which the device of a vehicle was heard, and the arrival of the newest. */
export const noPositionReports = tracking.table('no_position_reports', {
  vehicleId: vehicleId().primaryKey(),
  count: bigint('count', { mode: 'number' }).notNull(),
  newestAtMs: timeMs('newest_at_ms').notNull(),
});

/** A key has no limit where its column is null. */
export const apiKeys = tracking.table('api_keys', {
  id: text('id').primaryKey(),
  usdot: ownerUsdot(),
  name: text('name').notNull(),
  /** The name of a person or a program; null for keys older than the column. */
  createdBy: text('created_by'),
  createdAtMs: timeMs('created_at_ms').notNull(),
  revokedAtMs: timeMs('revoked_at_ms'),
  endpoints: text('endpoints').array(),
  expiresAtMs: timeMs('expires_at_ms'),
  allowedNetworks: text('allowed_networks').array(),
  requestsPerMinute: integer('requests_per_minute'),
});

/**
 * An API key with its provider token, of which only the hashes are kept and, to recognize it, the beginning
 * (unknown of keys that are older than the column). A key has one pair, and a second one that ends while it is rotated.
 */
export const apiKeySecrets = tracking.table(
  'api_key_secrets',
  {
    id: text('id').primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    prefix: text('prefix'),
    /** The id of the user in the program that made the pair; null for the command line and for pairs older than the column. */
    madeById: text('made_by_id'),
    keyHash: sha256('key_hash').notNull().unique(),
    providerTokenHash: sha256('provider_token_hash').notNull(),
    createdAtMs: timeMs('created_at_ms').notNull(),
    endsAtMs: timeMs('ends_at_ms'),
    lastUsedAtMs: timeMs('last_used_at_ms'),
  },
  (table) => [index('api_key_secrets_key_id').on(table.keyId)],
);

export const ingestTokens = tracking.table('ingest_tokens', {
  id: text('id').primaryKey(),
  usdot: ownerUsdot(),
  name: text('name').notNull(),
  prefix: text('prefix'),
  tokenHash: sha256('token_hash').notNull().unique(),
  createdBy: text('created_by'),
  /** The same as of api_key_secrets. */
  madeById: text('made_by_id'),
  createdAtMs: timeMs('created_at_ms').notNull(),
  revokedAtMs: timeMs('revoked_at_ms'),
  lastUsedAtMs: timeMs('last_used_at_ms'),
});

/** 9999-12-31T23:59:59.999Z: later times have no ISO 8601 form of four digits for the year. */
export const MAX_TIME_MS = 253_402_300_799_999;

/**
 * The range that a device on a road can measure, with room for one in an airplane. Each bound fits a `real` of PostgreSQL, which
 * refuses a whole statement for one number that it cannot hold.
 */
export const MAX_SPEED_KPH = 2_000;
export const MIN_ALTITUDE_M = -1_000;
export const MAX_ALTITUDE_M = 50_000;
/** Devices that are located by cell towers give radii of tens of kilometers. */
export const MAX_ACCURACY_M = 1_000_000;
export const FULL_BATTERY_PERCENT = 100;
/** Ten million kilometers: more than any truck drives, and less than a counter that has overflowed. */
export const MAX_ODOMETER_M = 1e10;
export const MAX_ALARM_CHARACTERS = 200;

/** The newest reports that ingest refused, for each token; redacted. */
export const refusedReports = tracking.table(
  'refused_reports',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    tokenId: text('token_id')
      .notNull()
      .references(() => ingestTokens.id, { onDelete: 'cascade' }),
    atMs: timeMs('at_ms').notNull(),
    protocol: text('protocol').notNull(),
    code: text('code').notNull(),
    detail: text('detail').notNull(),
    /** The device that no vehicle has, if that is the reason. */
    deviceId: text('device_id'),
  },
  (table) => [index('refused_reports_token_id').on(table.tokenId, table.id)],
);
