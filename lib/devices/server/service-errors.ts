import 'server-only';

/** No API key or ingest token of that id is in use, or none that the viewer may see. */
export class NoSuchCredentialError extends Error {
  override name = 'NoSuchCredentialError';
}

/** A carrier has no vehicle of that VIN. */
export class NoSuchVehicleError extends Error {
  override name = 'NoSuchVehicleError';
}

/** A vehicle that is to be added is known already. */
export class VehicleTakenError extends Error {
  override name = 'VehicleTakenError';
}
