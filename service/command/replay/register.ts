import { basename } from 'node:path';
import { toMadeUpVin } from './made-up-vin';
import type { Store } from '../../store/store';
import type { RecordedFix } from './recording-formats';

/**
 * Gives each device of a recording that the carrier does not know a vehicle with a made-up VIN, and makes the carrier
 * itself where it is missing. Answers how many vehicles were added.
 */
export const registerDevices = async (
  { carriers, vehicles }: Store,
  usdot: string,
  file: string,
  fixes: RecordedFix[],
): Promise<number> => {
  if ((await carriers.read(usdot)) === null) {
    await carriers.upsert({
      usdot,
      companyName: `Recording ${basename(file)}`,
      companyId: `recording-${usdot}`,
    });
  }
  const known = new Set((await vehicles.list(usdot)).map(({ deviceId }) => deviceId));
  const deviceIds = [...new Set(fixes.map(({ deviceId }) => deviceId))].filter(
    (deviceId) => !known.has(deviceId),
  );
  await vehicles.upsertMany(
    deviceIds.map((deviceId) => ({
      usdot,
      vin: toMadeUpVin(`${usdot}/${deviceId}`),
      truckNumber: deviceId,
      deviceId,
    })),
  );
  return deviceIds.length;
};
