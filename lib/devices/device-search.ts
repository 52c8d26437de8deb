import type { Device } from './schema';

/** The vehicles whose truck number, VIN or device id contains the search text, ignoring case; all for an empty text. */
export const findDevices = (devices: Device[], typed: string): Device[] => {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return devices;
  return devices.filter(({ truckNumber, vin, deviceId }) =>
    [truckNumber, vin, deviceId].some((text) => text?.toLowerCase().includes(wanted)),
  );
};
