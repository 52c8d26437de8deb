/** The database could not be opened or brought up to date. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
}

export class UnknownCarrierError extends Error {
  override name = 'UnknownCarrierError';
  readonly code = 'unknown_carrier';
  constructor(readonly usdots: string[]) {
    super(`No carrier has the USDOT number ${usdots.join(', ')}. Add the carrier first.`);
  }
}

/** Invalid values, each fault with its row and field. */
export class InvalidRecordError extends Error {
  override name = 'InvalidRecordError';
  readonly code = 'invalid_record';
  constructor(
    what: string,
    readonly faults: { row: number; field: string; message: string }[],
    options?: ErrorOptions,
  ) {
    const first = faults.slice(0, 3).map((fault) => `[${fault.row}].${fault.field}: ${fault.message}`);
    super(`${faults.length} fault${faults.length === 1 ? '' : 's'} in ${what}: ${first.join('; ')}`, options);
  }
}

/** One VIN, or one device of a carrier, is in more than one row of a call. */
export class RepeatedVehicleError extends Error {
  override name = 'RepeatedVehicleError';
  constructor(
    readonly field: 'vin' | 'deviceId',
    readonly values: string[],
  ) {
    super(`The same ${field} is in several rows: ${values.slice(0, 5).join(', ')}`);
  }
}

/** A device already belongs to another vehicle of the same carrier. */
export class DeviceTakenError extends Error {
  override name = 'DeviceTakenError';
  readonly code = 'device_taken';
  constructor(readonly taken: { deviceId: string; vin: string }[]) {
    const first = taken.slice(0, 3).map(({ deviceId, vin }) => `${deviceId} of ${vin}`);
    super(`${taken.length} devices belong to other vehicles already: ${first.join(', ')}`);
  }
}
