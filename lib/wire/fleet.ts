import { nullable, number, object, oneOf, text, type ShapeOf } from '@/lib/base/shape';

/** The names of a unit as the provider gives them; null where it gives none. */
export const identitySchema = object({
  /**
   * Stable name of the unit within its fleet: its VIN, else `device:…`, `truck:…`, `plate:…` or a `vin:…` that is no
   * VIN, the first that no other unit shares; where all are shared, numbered as in `#2 device:0`.
   */
  key: text,
  vin: nullable(text),
  truckNumber: nullable(text),
  plateState: nullable(text),
  plateNumber: nullable(text),
  make: nullable(text),
  model: nullable(text),
  year: nullable(number),
  fuelType: nullable(text),
  assetType: nullable(text),
  deviceId: nullable(text),
});
export type UnitIdentity = ShapeOf<typeof identitySchema>;

/** An identity without any names, for use as a base object. */
export const UNNAMED: Readonly<Omit<UnitIdentity, 'key'>> = {
  vin: null,
  truckNumber: null,
  plateState: null,
  plateNumber: null,
  make: null,
  model: null,
  year: null,
  fuelType: null,
  assetType: null,
  deviceId: null,
};

/**
 * The numbers of a fleet that change with polls, one Int32 for each unit and column.
 *
 * - latE5, lngE5: degrees × 100,000 (about 1 m), NO_POSITION where there is none
 * - fixAtS: time of the newest fix, Unix seconds, 0 where there is none
 * - speedKph, headingDeg: derived from the unit's own fixes, NOT_DERIVED where they give none
 * - status, reason: index into STATUSES and REASONS
 * - sinceS: since when the status holds, Unix seconds, 0 where it is not known
 * - flags: bit mask of FLAGS
 * - datedAfterS: once the newest fix is this many seconds old, the status is given with that fix's time
 * - coarseM: position error, meters; 0 where it is about a receiver's
 * - siteId: the site that the unit is at, 0 where it is at none; the recording has the visits instead
 */
export const MOTION_COLUMNS = ['latE5', 'lngE5', 'fixAtS', 'speedKph', 'headingDeg'] as const;
export const RECORDED_STATE_COLUMNS = [
  'status',
  'reason',
  'sinceS',
  'flags',
  'datedAfterS',
  'coarseM',
] as const;
export const STATE_COLUMNS = [...RECORDED_STATE_COLUMNS, 'siteId'] as const;
export const RECORDED_COLUMNS = [...MOTION_COLUMNS, ...RECORDED_STATE_COLUMNS] as const;
export const COLUMNS = [...MOTION_COLUMNS, ...STATE_COLUMNS] as const;
export type Column = (typeof COLUMNS)[number];
export type RecordedColumn = (typeof RECORDED_COLUMNS)[number];
export type Columns = Record<Column, Int32Array>;
export const NO_POSITION = 0x7fffffff;
export const NOT_DERIVED = -1;

/**
 * The kinds of problem of a fleet's source.
 *
 * - `network` to `internal`: no answer, or an unusable one
 * - `redirect`, `tooLong`, `empty`, `errorInside`, `mismatch`: the same, each a cause of its own
 * - `unusable`: records that cannot be read as units, all of them or many
 * - `drop`, `otherFleet`, `older`, `repeated`: a readable answer that contradicts earlier ones
 * - `clock`: our clock and the source's are far apart
 * - `database`: not the source, but our own: the embedded service's database is down or full
 */
export const PROBLEM_KINDS = [
  'network',
  'timeout',
  'auth',
  'status',
  'shape',
  'rateLimit',
  'internal',
  'redirect',
  'tooLong',
  'empty',
  'errorInside',
  'mismatch',
  'unusable',
  'drop',
  'otherFleet',
  'older',
  'repeated',
  'clock',
  'database',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One problem of a fleet's source, as text for a dispatcher (`message`) and an engineer (`detail`). */
const feedProblemSchema = object({
  kind: oneOf(PROBLEM_KINDS),
  message: text,
  detail: text,
  sinceMs: number,
});
export type FeedProblem = ShapeOf<typeof feedProblemSchema>;

/** The state of the server's copy of a fleet. */
export const feedStateSchema = object({
  /** When the provider last answered with units; null before its first answer. */
  fetchedAtMs: nullable(number),
  /** Set while the provider fails: the moment of the first failure in a row. */
  staleSinceMs: nullable(number),
  /** Without `staleSinceMs` the newest answer was accepted and has an anomaly. */
  problem: nullable(feedProblemSchema),
  /** When the provider is requested again after a failure, Unix ms; null while nothing fails or the wait is short. */
  nextAttemptAtMs: nullable(number),
  /** Units in the provider's newest answer. */
  activeUnits: number,
  /** VINs on the roster; null while it could not be read. */
  rosterVins: nullable(number),
  /** Unusable records and repaired fields of the newest answer. */
  droppedRecords: number,
  repairedFields: number,
  /** Counts the polls that opened or closed alerts since the feed began: alerts are read again when it changes. */
  alertsRevision: number,
});
export type FeedState = ShapeOf<typeof feedStateSchema>;

/** The state of a feed without any answer, for use as a base object. */
export const UNREAD_FEED: Readonly<FeedState> = {
  fetchedAtMs: null,
  staleSinceMs: null,
  problem: null,
  nextAttemptAtMs: null,
  activeUnits: 0,
  rosterVins: null,
  droppedRecords: 0,
  repairedFields: 0,
  alertsRevision: 0,
};

/** GET /api/carrier: the carrier that the key of the server's first account belongs to. */
export const carrierAccountSchema = object({
  companyName: text,
  companyId: text,
  usdot: text,
});
export type CarrierAccount = ShapeOf<typeof carrierAccountSchema>;

/**
 * A fleet in memory. Row n of every column is the unit `identities[n]`, for as long as the epoch (the version before
 * the dot) lasts; it is null once the unit has left. Another list of identities means that a unit was renamed.
 */
export interface Fleet {
  usdot: string;
  version: string;
  rows: number;
  identities: (UnitIdentity | null)[];
  columns: Columns;
  feed: FeedState;
  /** The account that it is read with, if that is its own carrier's; null: another's, or not known. */
  account: CarrierAccount | null;
}

/** The rows of a fleet at one moment. */
export type FleetRows = Pick<Fleet, 'rows' | 'identities' | 'columns'>;

/** Whether a row holds a unit. Strict, because `== null` inspects the object, which takes milliseconds a fleet. */
export const hasUnit = ({ identities }: Fleet, row: number): boolean =>
  identities[row] !== null && identities[row] !== undefined;
