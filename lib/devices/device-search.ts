import type { Device } from './schema';

/** The vehicles whose truck number, VIN or device id holds what was typed, in any case; all where nothing was. */
export const findDevices = (devices: Device[], typed: string): Device[] => {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return devices;
  return devices.filter(({ truckNumber, vin, deviceId }) =>
    [truckNumber, vin, deviceId].some((text) => text?.toLowerCase().includes(wanted)),
  );
};
