import { fold } from '@/lib/base/text/text';
import type { Device } from './schema';

/** The vehicles whose truck number, VIN or device id contains the search text, ignoring case and accents; all for an empty text. */
export const findDevices = (devices: Device[], typed: string): Device[] => {
  const wanted = fold(typed.trim());
  if (wanted === '') return devices;
  return devices.filter(({ truckNumber, vin, deviceId }) =>
    [truckNumber, vin, deviceId].some((text) => text != null && fold(text).includes(wanted)),
  );
};
