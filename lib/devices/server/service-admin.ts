import 'server-only';
import type { IngestToken } from '@/lib/api-keys/schema';
import type { Creator, KeyAdmin, Made } from '@/lib/api-keys/server/api-keys';
import type { Device, ImportedVehicle, ImportLine, IssuedToken, NewToken, Refusal, Vehicle } from '../schema';
import type { Table } from '@/lib/table-files/table';
import type { Executor } from '@/lib/database/database';

export type VehicleFields = Omit<Vehicle, 'usdot' | 'vin' | 'contact'>;

export type TokenRecord = IngestToken & Made;
/** The changes that a file of vehicles makes, and its faults. */
export interface ImportPlan {
  /** Equal for plans with the same changes. */
  id: string;
  /** In the order of the file. */
  vehicles: {
    line: number;
    kind: 'added' | 'changed' | 'unchanged';
    vehicle: Vehicle & { make: string | null; model: string | null; year: number | null };
    filledFrom: string | null;
    changes: ImportedVehicle['changes'];
  }[];
  added: number;
  changed: number;
  unchanged: number;
  faults: (ImportLine & { isDuplicate?: true })[];
  warnings: ImportLine[];
  /** Writes all changes. Must not be called if there are faults. */
  run: () => Promise<void>;
}

export interface ImportOptions {
  /** The carrier of rows that name none. */
  defaultUsdot: string;
  /** Whether vehicles of another carrier change to the named one. */
  isMoveMeant: boolean;
  nowMs: number;
  /** Columns that the caller reads. */
  otherColumns: readonly string[];
  /** The identifier of a vehicle without a device, which had `before`. */
  toDeviceId: (vin: string, before: string | null, isTaken: (id: string) => boolean) => string | null;
  messages: { unknownCarrier: (usdot: string) => string; otherOwner: (vin: string) => string };
}

/** Columns of a file of vehicles that the service does not know. */
export interface MoreColumns {
  names: readonly string[];
  cellsOf: (vin: string) => readonly string[];
}

/** The embedded service's administration; methods with a `tx` run in that transaction, on the accounts' database. */
export interface ServiceAdmin extends KeyAdmin {
  /** Ingest tokens, without the service's own; the oldest first. */
  ingestTokens: {
    list: (usdot?: string, tx?: Executor) => Promise<TokenRecord[]>;
    create: (token: NewToken & Creator, tx: Executor) => Promise<IssuedToken>;
    revoke: (id: string, tx: Executor) => Promise<boolean>;
  };
  devices: {
    list: (usdot: string) => Promise<Device[]>;
    count: (usdot: string) => Promise<{ vehicles: number; reportedAtMs: number | null }>;
  };
  /** Reports that ingest refused, the newest first. */
  refusals: { list: (usdot: string) => Promise<(Refusal & { tokenId: string })[]> };
  vehicles: {
    readByVin: (vin: string) => Promise<{ usdot: string } | null>;
    list: (usdot: string, tx?: Executor) => Promise<{ vin: string; truckNumber: string | null }[]>;
    /** The VINs of a carrier by device id; vehicles cannot change until the transaction ends. */
    lockDevices: (usdot: string, tx: Executor) => Promise<Map<string, string>>;
    upsertMany: (vehicles: Omit<Vehicle, 'contact'>[], tx: Executor) => Promise<void>;
    /** The fields before the change; null if the carrier has no such vehicle. */
    change: (
      usdot: string,
      vin: string,
      fields: VehicleFields,
      tx: Executor,
    ) => Promise<Required<VehicleFields> | null>;
    /** Removes a vehicle with its fixes; null if the carrier has no such vehicle. */
    remove: (vin: string, usdot: string, tx: Executor) => Promise<{ truckNumber: string | null } | null>;
  };
  /** With `tx`, vehicles cannot change until that transaction ends, in which the plan is written. */
  planImport: (table: Table, options: ImportOptions, tx?: Executor) => Promise<ImportPlan>;
  /** A carrier's vehicles as a CSV file, whose import changes nothing. */
  exportVehicles: (usdot: string, more: MoreColumns) => Promise<string>;
}
