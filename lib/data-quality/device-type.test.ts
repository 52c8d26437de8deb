import { expect, it } from 'vitest';
import { toDeviceType } from './device-type';

it.each([
  ['356938035643809', 'IMEI 35693803…'],
  // The check digit is wrong.
  ['356938035643808', '15 digits'],
  ['PT30-0412', 'PT30…'],
  ['truck-4107', 'truck…'],
  ['acme/eld/77a', 'acme/eld…'],
  ['GA0012345', 'GA…'],
  ['0412', '4 digits'],
  ['phone', 'Other'],
  ['  ', 'No device ID'],
  [null, 'No device ID'],
])('%s is of the type %s', (deviceId, type) => {
  expect(toDeviceType(deviceId)).toBe(type);
});
