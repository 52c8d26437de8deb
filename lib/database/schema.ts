import 'server-only';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** The application has its own schema; the tracking service has another. */
export const linehaul = pgSchema('linehaul');

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Users who may sign in. better-auth uses the columns up to `twoFactorEnabled`; the rights are in the
 * columns after it, which only `lib/users/server` writes: no form and no identity provider reaches them. A user
 * created in any other way is a dispatcher who sees no fleet.
 */
export const users = linehaul.table(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** A password alone does not sign the user in. */
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    role: text('role', { enum: ['dispatcher', 'manager'] })
      .notNull()
      .default('dispatcher'),
    /** The USDOT numbers of the user's scope; null: all. */
    usdots: text('usdots')
      .array()
      .default(sql`'{}'::text[]`),
    /** Of these fleets, only units with one of these tags are in the user's scope; null: all units. */
    tags: text('tags').array(),
    /** Since when the user is disabled; null: enabled. */
    disabledAt: instant('disabled_at'),
  },
  (table) => [
    uniqueIndex('users_email_unique').on(table.email),
    check('users_role_known', sql`${table.role} in ('dispatcher', 'manager')`),
    check('users_managers_see_all', sql`${table.role} <> 'manager' or ${table.tags} is null`),
  ],
);

const ownerId = (name = 'user_id') =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** `token` is worthless alone: a cookie carries it signed with a secret that is not in the database. */
export const sessions = linehaul.table(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    token: text('token').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('sessions_token_unique').on(table.token),
    index('sessions_user_id').on(table.userId),
  ],
);

/** Ways to sign in: a password's hash (provider "credential"), or an identity at a provider. */
export const identities = linehaul.table(
  'identities',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('identities_provider_account_unique').on(table.providerId, table.accountId),
    index('identities_user_id').on(table.userId),
  ],
);

/**
 * The secrets behind an authenticator app and the recovery codes; better-auth encrypts both with the secret
 * that signs sessions, which is not in the database. Not verified: shown to the user, and no code of it
 * received yet.
 */
export const secondFactors = linehaul.table(
  'second_factors',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    secret: text('secret').notNull(),
    backupCodes: text('recovery_codes').notNull(),
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
    /** The newest time step (30 s each since 1970) whose code was accepted: no code is accepted twice. */
    lastUsedStep: bigint('last_used_step', { mode: 'number' }),
  },
  (table) => [uniqueIndex('second_factors_user_id').on(table.userId)],
);

/**
 * Wall screens: the bearer of a screen's link reads the maps of its fleets. Only the hash of the link token
 * is stored.
 */
export const wallScreens = linehaul.table(
  'wall_screens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** The USDOT numbers whose fleets it may show; null: all. */
    usdots: text('usdots').array(),
    /** The maker's e-mail address, also after that user is deleted. */
    madeBy: text('made_by').notNull(),
    /** The manager who made it, whose rights it depends on; null for the demo, and where `made_by` is no user's address. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    /** About when it was last seen, and from which address; null: never. */
    seenAt: instant('seen_at'),
    seenAddress: text('seen_address'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('wall_screens_token_hash').on(table.tokenHash),
    index('wall_screens_made_by_id').on(table.madeById),
  ],
);

/**
 * Short-lived values for one use: the state of an OpenID Connect sign-in, the second step of a sign-in here.
 */
export const verifications = linehaul.table(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
);

/**
 * Open invitations. The link is not stored: `token_hash` is the SHA-256 of its token; a row is deleted when
 * its invitation is accepted, withdrawn or replaced.
 */
export const invitations = linehaul.table(
  'invitations',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['dispatcher', 'manager'] }).notNull(),
    /** As of users. */
    usdots: text('usdots').array(),
    tags: text('tags').array(),
    invitedById: ownerId('invited_by_id'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_token_hash_unique').on(table.tokenHash),
    uniqueIndex('invitations_email_unique').on(table.email),
    check('invitations_role_known', sql`${table.role} in ('dispatcher', 'manager')`),
  ],
);

/** Unused password reset links, stored as invitations are. */
export const passwordResets = linehaul.table(
  'password_resets',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull(),
    userId: ownerId(),
    /** The manager who made it; null for a user's own request by mail. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('password_resets_token_hash_unique').on(table.tokenHash),
    index('password_resets_user_id').on(table.userId),
  ],
);

/**
 * What became of the mail of an invitation or a password reset, whose id it has. The link is sealed while its mail waits, and
 * null after that; the row ends with the link.
 */
export const linkMails = linehaul.table(
  'link_mails',
  {
    id: text('id').primaryKey(),
    invitationId: text('invitation_id').references(() => invitations.id, { onDelete: 'cascade' }),
    resetId: text('reset_id').references(() => passwordResets.id, { onDelete: 'cascade' }),
    sealed: text('sealed'),
    state: text('state', { enum: ['retrying', 'sent', 'failed', 'none'] }).notNull(),
    /** Why the last attempt failed, as the mail server says it. */
    problem: text('problem'),
    attempts: integer('attempts').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('link_mails_invitation_id').on(table.invitationId),
    index('link_mails_reset_id').on(table.resetId),
    check('link_mails_of_one_link', sql`num_nonnulls(${table.invitationId}, ${table.resetId}) = 1`),
  ],
);

/**
 * Who did what, when, from where, and with what result. Rows are only ever added: a trigger in the migrations
 * refuses changes. Names are copied, so that a line stays the same after its user is deleted.
 */
export const auditLog = linehaul.table(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
    actorId: text('actor_id'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject'),
    address: text('address'),
    outcome: text('outcome', { enum: ['done', 'refused'] }).notNull(),
    details: jsonb('details').$type<Record<string, unknown>>(),
  },
  (table) => [
    index('audit_log_at_ms').on(table.atMs),
    index('audit_log_action').on(table.action, table.atMs),
  ],
);

/** Settings of the whole server, by name. The environment determines a setting without a row. */
export const settings = linehaul.table('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  /** The e-mail address of the last user who changed it, copied as in the audit log. */
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
});

/**
 * The row "access" grows with each change of users, wall screens and settings and with each session that ends: triggers in
 * the migrations raise it as the last step of a transaction.
 */
export const revisions = linehaul.table('revisions', {
  name: text('name').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
});

/**
 * The recorded fixes, partitioned by the hour in which they were seen; `lib/recording` makes the partitions, each
 * with a unique index of fleet, unit and time of the fix. Times are Unix ms.
 */
export const fixes = linehaul.table('fixes', {
  fixMs: bigint('fix_ms', { mode: 'number' }).notNull(),
  /** When the answer with it came. */
  seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  /** Degrees times 100,000. */
  latE5: integer('lat_e5').notNull(),
  lngE5: integer('lng_e5').notNull(),
  /** The unit's own times cannot be trusted: the fix is dated by when it was received. */
  isByReceipt: boolean('is_by_receipt').notNull(),
  usdot: text('usdot').notNull(),
  unit: text('unit').notNull(),
  /** Derived from the unit's fixes when the map showed this one, -1: not; null where it showed another position. */
  speedKph: smallint('speed_kph'),
  headingDeg: smallint('heading_deg'),
  /** Handed over from the service's store: no poll showed it, so a feed does not start from it. */
  isFromStore: boolean('is_from_store').notNull().default(false),
});

/**
 * How far the fixes of an own fleet's store are in the recording: up to this revision of the store. It changes in the
 * transaction that records them.
 */
export const handedOver = linehaul.table('handed_over', {
  usdot: text('usdot').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
});

/** Times of units for which fixes were recorded late, Unix ms: visits to sites are yet to be found in them. */
export const lateTrails = linehaul.table(
  'late_trails',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** When the last of them was recorded. */
    seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit] })],
);

/**
 * Rows of the live screen, in the columns of the wire format, partitioned and kept as the fixes are; a unit has one for
 * each poll that changed more than a new fix explains, and with the first poll of each hour. All null: it was forgotten.
 */
export const states = linehaul.table('states', {
  /** The poll, Unix ms. */
  seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
  latE5: integer('lat_e5'),
  lngE5: integer('lng_e5'),
  fixAtS: integer('fix_s'),
  sinceS: integer('since_s'),
  datedAfterS: integer('dated_after_s'),
  coarseM: integer('coarse_m'),
  flags: integer('flags'),
  speedKph: smallint('speed_kph'),
  headingDeg: smallint('heading_deg'),
  status: smallint('status'),
  reason: smallint('reason'),
  usdot: text('usdot').notNull(),
  unit: text('unit').notNull(),
});

/** The names of each unit, from a poll on. */
export const unitIdentities = linehaul.table(
  'unit_identities',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
    identity: jsonb('identity').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit, table.seenMs] })],
);

/** What the units that were late or silent resume from after a restart: MotionMemory of `lib/motion`, as of their last fix then. */
export const unitMotions = linehaul.table(
  'unit_motions',
  {
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    motion: jsonb('motion').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.unit] })],
);

/**
 * The Parquet files of HISTORY_DIR, each with the rows of one fleet that were seen in [from_ms, to_ms). A file is noted
 * before it is written, and forgotten once it is deleted, so that none is left behind. Times are Unix ms.
 */
export const archiveFiles = linehaul.table(
  'archive_files',
  {
    path: text('path').primaryKey(),
    tableName: text('table_name').notNull(),
    usdot: text('usdot').notNull(),
    /** `listed`: its rows are those of its hours, and no partition has them. */
    state: text('state', { enum: ['writing', 'listed', 'removed'] }).notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** The rows' own times. */
    leastMs: bigint('least_ms', { mode: 'number' }),
    greatestMs: bigint('greatest_ms', { mode: 'number' }),
    rows: bigint('rows', { mode: 'number' }),
    bytes: bigint('bytes', { mode: 'number' }),
  },
  (table) => [
    index('archive_files_fleet').on(table.usdot, table.tableName, table.greatestMs),
    check('archive_files_state_known', sql`${table.state} in ('writing', 'listed', 'removed')`),
  ],
);

/** Intervals of a fleet's recording, in Unix ms: whether the provider's answers came, and if not, why not. */
export const coverage = linehaul.table(
  'coverage',
  {
    usdot: text('usdot').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** `lost`: answers came that could not be stored. */
    state: text('state', { enum: ['answered', 'failing', 'notRunning', 'lost'] }).notNull(),
    /** The kind of the problem; null where there is none. */
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.fromMs] }),
    check('coverage_state_known', sql`${table.state} in ('answered', 'failing', 'notRunning', 'lost')`),
  ],
);

/**
 * The greatest fencing number with which a fleet was recorded: where several servers share the fleets, a server that has
 * lost one cannot write what it polled before.
 */
export const fleetFences = linehaul.table('fleet_fences', {
  usdot: text('usdot').primaryKey(),
  fence: bigint('fence', { mode: 'number' }).notNull(),
});

/** The servers that share the fleets, each with its last heartbeat; those of another version of messages ignore each other. */
export const sharingServers = linehaul.table('sharing_servers', {
  id: text('id').primaryKey(),
  version: text('version').notNull(),
  beatAt: instant('beat_at').notNull(),
  /** The fleets that it wants and shows, and its report. */
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

/** How many units of a fleet had each status, in the order of STATUSES, at the end of each ten minutes from `fromMs` on. */
export const statusCounts = linehaul.table(
  'status_counts',
  {
    usdot: text('usdot').notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    counts: integer('counts').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.fromMs] })],
);

/** Whose personal choices a row holds: a user's id, or "demo". */
const reader = () => text('reader').notNull();

/** Locations that matter to a carrier, each of one fleet. `lib/sites` has the shapes of the JSON columns. */
export const sites = linehaul.table(
  'sites',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['yard', 'customer', 'fuel', 'noGo', 'other'] }).notNull(),
    /** "#rrggbb" */
    color: text('color').notNull(),
    notes: text('notes').notNull().default(''),
    openingHours: jsonb('opening_hours'),
    marginM: integer('margin_m').notNull(),
    shape: jsonb('shape').notNull(),
    madeBy: text('made_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [unique('sites_name_unique').on(table.usdot, table.name)],
);

/**
 * The search of the recording for visits to a site that was made or moved, since when polls are judged by it. It begins again
 * with each change of the site, by its `number`.
 */
export const siteScans = linehaul.table('site_scans', {
  siteId: integer('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  usdot: text('usdot').notNull(),
  number: integer('number').notNull().default(1),
  /** Unix ms. */
  watchedFromMs: bigint('watched_from_ms', { mode: 'number' }).notNull(),
  /** How much of the recording has been searched: 0 to 1. */
  share: doublePrecision('share').notNull().default(0),
});

/**
 * When units were at sites, Unix ms. A visit lasts from `arrivedMs`, the first fix inside, to `leftMs`, the last one inside,
 * and is open while that is null; the unit came after `arrivedAfterMs` and was gone by `leftByMs`. `origin`: judged by polls
 * (`live`), proved by fixes that came late (`late`), or found in the recording when its site was made or moved (`recording`),
 * or that, and going on as polls judge it (`joined`).
 */
export const siteVisits = linehaul.table(
  'site_visits',
  {
    usdot: text('usdot').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    unit: text('unit').notNull(),
    arrivedMs: bigint('arrived_ms', { mode: 'number' }).notNull(),
    arrivedAfterMs: bigint('arrived_after_ms', { mode: 'number' }),
    leftMs: bigint('left_ms', { mode: 'number' }),
    leftByMs: bigint('left_by_ms', { mode: 'number' }),
    origin: text('origin', { enum: ['live', 'late', 'recording', 'joined'] })
      .notNull()
      .default('live'),
  },
  (table) => [
    primaryKey({ columns: [table.usdot, table.siteId, table.unit, table.arrivedMs] }),
    index('site_visits_of_site').on(table.siteId, table.arrivedMs),
    index('site_visits_left').on(table.siteId, table.leftMs, table.arrivedMs),
    index('site_visits_of_unit').on(table.usdot, table.unit, table.arrivedMs),
  ],
);

const severity = (name: string) => text(name, { enum: ['info', 'warning', 'critical'] }).notNull();

/**
 * Rules of a fleet that managers set (`ownerId` null), and those that users set for themselves. `lib/alerts` has the shapes
 * of the JSON columns.
 */
export const alertRules = linehaul.table(
  'alert_rules',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    condition: jsonb('condition').notNull(),
    units: jsonb('units').notNull(),
    schedule: jsonb('schedule'),
    severity: severity('severity'),
    coolDownMin: integer('cool_down_min').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    madeBy: text('made_by').notNull(),
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('alert_rules_usdot').on(table.usdot)],
);

/** Each time that a rule fired. Name, severity and owner are copied, so that an alert outlives its rule. */
export const alerts = linehaul.table(
  'alerts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    ruleId: integer('rule_id').references(() => alertRules.id, { onDelete: 'set null' }),
    ruleName: text('rule_name').notNull(),
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    severity: severity('severity'),
    /** Key of the unit; empty: the feed of the fleet. */
    unit: text('unit').notNull(),
    openedMs: bigint('opened_ms', { mode: 'number' }).notNull(),
    closedMs: bigint('closed_ms', { mode: 'number' }),
    facts: jsonb('facts').notNull(),
    acknowledgedBy: text('acknowledged_by'),
    acknowledgedMs: bigint('acknowledged_ms', { mode: 'number' }),
    note: text('note'),
  },
  (table) => [
    index('alerts_usdot').on(table.usdot, table.id),
    // However many servers evaluate a rule, one alert of it is open for a unit.
    uniqueIndex('alerts_open_unique')
      .on(table.ruleId, table.unit)
      .where(sql`${table.closedMs} is null`),
    index('alerts_of_rule').on(table.ruleId, table.unit, table.openedMs),
  ],
);

/** How a user wants to hear of alerts. */
export const alertPreferences = linehaul.table('alert_preferences', {
  userId: ownerId().primaryKey(),
  preferences: jsonb('preferences').notNull(),
});

/** The newest alert of a fleet that a reader has seen. */
export const alertReads = linehaul.table(
  'alert_reads',
  {
    reader: reader(),
    usdot: text('usdot').notNull(),
    lastAlertId: bigint('last_alert_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.reader, table.usdot] })],
);

/** Addresses of a fleet's own programs that get its alerts; the secret is sealed as a provider's is. */
export const webhooks = linehaul.table(
  'webhooks',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    sealedSecret: text('sealed_secret').notNull(),
    minSeverity: severity('min_severity'),
    isEnabled: boolean('is_enabled').notNull(),
    madeBy: text('made_by').notNull(),
    /** The user who entered the address; null: not known. */
    madeById: text('made_by_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('webhooks_usdot').on(table.usdot)],
);

/** Browsers of users that get alerts by Web Push. */
export const pushSubscriptions = linehaul.table(
  'push_subscriptions',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    endpoint: text('endpoint').notNull(),
    keys: jsonb('keys').$type<{ p256dh: string; auth: string }>().notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user_id').on(table.userId),
  ],
);

/** One message about an alert to one target. Its id goes with it, so that a receiver can recognize a repeat. */
export const alertDeliveries = linehaul.table(
  'alert_deliveries',
  {
    id: text('id').primaryKey(),
    alertId: bigint('alert_id', { mode: 'number' })
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    event: text('event', { enum: ['opened', 'closed'] }).notNull(),
    channel: text('channel', { enum: ['email', 'webhook', 'push'] }).notNull(),
    /** Id of the user, the browser's subscription or the webhook. */
    target: text('target').notNull(),
    state: text('state', { enum: ['pending', 'sent', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('alert_deliveries_once').on(table.alertId, table.event, table.channel, table.target),
    index('alert_deliveries_target').on(table.target, table.createdMs),
  ],
);

/** What people write about a unit for their colleagues. */
export const unitNotes = linehaul.table(
  'unit_notes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    usdot: text('usdot').notNull(),
    unit: text('unit').notNull(),
    text: text('text').notNull(),
    /** Copied, as in the audit log. */
    author: text('author').notNull(),
    authorId: text('author_id'),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    /** Unix ms; null: it stays until it is deleted. */
    expiresMs: bigint('expires_ms', { mode: 'number' }),
  },
  (table) => [index('unit_notes_usdot').on(table.usdot, table.unit)],
);

/** Groups of units by a tag each. */
export const unitTags = linehaul.table(
  'unit_tags',
  {
    usdot: text('usdot').notNull(),
    tag: text('tag').notNull(),
    unit: text('unit').notNull(),
  },
  (table) => [primaryKey({ columns: [table.usdot, table.tag, table.unit] })],
);

/** Views of the fleet screen by name: of one reader, or shared with all who see the fleet. */
export const savedViews = linehaul.table(
  'saved_views',
  {
    id: text('id').primaryKey(),
    usdot: text('usdot').notNull(),
    reader: reader(),
    isShared: boolean('is_shared').notNull(),
    name: text('name').notNull(),
    /** The query of its address. */
    search: text('search').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [unique('saved_views_name_unique').on(table.usdot, table.reader, table.name)],
);

/** What a reader chose for a fleet, and when the reader was there last. */
export const fleetReaders = linehaul.table(
  'fleet_readers',
  {
    reader: reader(),
    usdot: text('usdot').notNull(),
    startViewId: text('start_view_id').references(() => savedViews.id, { onDelete: 'set null' }),
    /** The end of the last visit that a handover begins with, Unix ms. */
    visitedMs: bigint('visited_ms', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.reader, table.usdot] })],
);

/** When a user gets the handover of a fleet by e-mail. */
export const handoverMails = linehaul.table(
  'handover_mails',
  {
    userId: ownerId(),
    usdot: text('usdot').notNull(),
    /** Minutes after midnight in the time zone. */
    atMin: integer('at_min').notNull(),
    timeZone: text('time_zone').notNull(),
    /** ISO weekdays, 1 is Monday. */
    weekdays: integer('weekdays').array().notNull(),
    /** Hours that a mail reaches back. */
    hours: integer('hours').notNull(),
    /** When the last one was due or the schedule was set, Unix ms: what was due by then is not sent. */
    sentMs: bigint('sent_ms', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.usdot] })],
);
