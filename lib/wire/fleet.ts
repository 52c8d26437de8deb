/** What a unit is called, as the provider said it; null where it said nothing. */
export interface UnitIdentity {
  /**
   * Stable name of the unit within its fleet: its VIN, else `device:…`, `truck:…`, `plate:…` or a `vin:…` that is no
   * VIN, the first that no other unit shares; where all are shared, numbered as in `#2 device:0`.
   */
  key: string;
  vin: string | null;
  truckNumber: string | null;
  plateState: string | null;
  plateNumber: string | null;
  make: string | null;
  model: string | null;
  year: number | null;
  fuelType: string | null;
  assetType: string | null;
  deviceId: string | null;
}

/** All that a unit can be called, said by nobody: what is known is written over it. */
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
 * The numbers of a fleet that change while one watches, one Int32 a unit and column.
 *
 * - latE5, lngE5: degrees × 100,000 (about 1 m), NO_POSITION where there is none
 * - fixAtS: time of the newest fix, Unix seconds, 0 where there is none
 * - speedKph, headingDeg: derived from the unit's own fixes, NOT_DERIVED where they do not say
 * - status, reason: index into STATUSES and REASONS
 * - sinceS: since when the status holds, Unix seconds, 0 where it is not known
 * - flags: bit mask of FLAGS
 * - datedAfterS: once the newest fix is so many seconds old, the status is given with that fix's time
 * - coarseM: how far off positions are, meters; 0 where they are about as good as a receiver's
 */
export const MOTION_COLUMNS = ['latE5', 'lngE5', 'fixAtS', 'speedKph', 'headingDeg'] as const;
export const STATE_COLUMNS = ['status', 'reason', 'sinceS', 'flags', 'datedAfterS', 'coarseM'] as const;
export const COLUMNS = [...MOTION_COLUMNS, ...STATE_COLUMNS] as const;
export type Column = (typeof COLUMNS)[number];
export type Columns = Record<Column, Int32Array>;

export const DEGREES_PER_E5 = 1e-5;
export const NO_POSITION = 0x7fffffff;
export const NOT_DERIVED = -1;

/**
 * What may be wrong with a fleet's source.
 *
 * - `network` to `internal`: no answer, or none that can be used
 * - `redirect`, `tooLong`, `empty`, `errorInside`, `mismatch`: the same, each a cause of its own
 * - `unusable`: records that cannot be read as units, all of them or many
 * - `drop`, `otherFleet`, `older`, `repeated`: an answer that can be read, and contradicts what was said before
 * - `clock`: our clock and the source's are far apart
 * - `database`: not the source, but our own: the embedded service's database is away or has no room
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

/** One problem with a fleet's source, in words for a dispatcher (`message`) and an engineer (`detail`). */
export interface FeedProblem {
  kind: ProblemKind;
  message: string;
  detail: string;
  sinceMs: number;
}

/** How the server's copy of a fleet came to be. */
export interface FeedState {
  /** When the provider last answered with units; null before it ever did. */
  fetchedAtMs: number | null;
  /** Set while the provider fails: the moment of the first failure in a row. */
  staleSinceMs: number | null;
  /** Without `staleSinceMs` the newest answer was taken, and something about it is doubtful. */
  problem: FeedProblem | null;
  /** When the provider is requested again after a failure, Unix ms; null while nothing fails or the wait is short. */
  nextAttemptAtMs: number | null;
  /** Units in the provider's newest answer. */
  activeUnits: number;
  /** VINs on the roster; null while it could not be read. */
  rosterVins: number | null;
  /** Records of the newest answer that could not be used, and fields that were mended. */
  droppedRecords: number;
  repairedFields: number;
}

/** A feed to which nothing has come yet: what is known is written over it. */
export const UNREAD_FEED: Readonly<FeedState> = {
  fetchedAtMs: null,
  staleSinceMs: null,
  problem: null,
  nextAttemptAtMs: null,
  activeUnits: 0,
  rosterVins: null,
  droppedRecords: 0,
  repairedFields: 0,
};

/** The account that the server's key belongs to. */
export interface CarrierAccount {
  companyName: string;
  companyId: string;
  usdot: string;
}

/**
 * A fleet in memory, on the server and in the browser.
 *
 * Row n of every column is the unit `identities[n]`; a row keeps its unit for as long as the version's
 * epoch (the part before the dot) lasts, and is null, and at no place, once the unit has left the fleet. A list of identities
 * is never changed: another one says that somebody is called otherwise.
 */
export interface Fleet {
  usdot: string;
  version: string;
  rows: number;
  identities: (UnitIdentity | null)[];
  columns: Columns;
  feed: FeedState;
  /** The account that it is read with, where that is the fleet's own carrier's; null where not, or while it is not known. */
  account: CarrierAccount | null;
}

/**
 * Whether a unit holds a row. Strict, because `== null` looks into the object that it is given: over a hundred
 * thousand of them that takes milliseconds.
 */
export const hasUnit = ({ identities }: Fleet, row: number): boolean =>
  identities[row] !== null && identities[row] !== undefined;
