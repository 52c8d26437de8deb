import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { checkDigit } from '@/lib/identity/vin';
import type { Store } from '../../store/store';
import type { ReplayFix } from './recording';

/**
 * Gives each device of a recording that the carrier does not know a vehicle with a made-up VIN, and makes the carrier
 * itself where it is missing. Answers how many vehicles were added.
 */
export const registerDevices = async (
  { carriers, vehicles }: Store,
  usdot: string,
  file: string,
  fixes: ReplayFix[],
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

/** 1Z9 belongs to no maker: a third character of 9 marks makers of few vehicles, identified by further characters. */
const MAKER = '1Z9';

/** Letters and digits that may stand anywhere in a VIN, also for the model year. */
const ANYWHERE = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const DIGITS = '0123456789';

/** A VIN that no vehicle has, with the right check digit; the same text always gives the same one. */
export const toMadeUpVin = (text: string): string => {
  const hash = createHash('sha256').update(text).digest();
  const pick = (alphabet: string, from: number, count: number) =>
    [...hash.subarray(from, from + count)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  const descriptor = MAKER + pick(ANYWHERE, 0, 5);
  const identifier = pick(ANYWHERE, 5, 2) + pick(DIGITS, 7, 6);
  return descriptor + checkDigit(`${descriptor}0${identifier}`) + identifier;
};
