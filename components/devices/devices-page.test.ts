import { describe, expect, it } from 'vitest';
import type { Device } from '@/lib/devices/schema';
import { findDevices } from '@/components/devices/devices-page';

const toDevice = (vin: string, truckNumber: string | null, deviceId: string | null): Device => ({
  ...{
    plateState: null,
    plateNumber: null,
    assetType: null,
    make: null,
    model: null,
    year: null,
    fuelType: null,
    registeredUsdot: null,
    registeredMcNumber: null,
  },
  vin,
  truckNumber,
  deviceId,
  reportedAtMs: null,
  fixAtMs: null,
  batteryPercent: null,
  heardAtMs: null,
});

const DEVICES = [
  toDevice('1M8GDM9AXKP042788', 'P-88', 'phone & truck 88'),
  toDevice('1XKYD49X4KJ200001', null, null),
  toDevice('1FUJGLDR5CSBP8834', '412', 'PT30-0412'),
];
const found = (typed: string) => findDevices(DEVICES, typed).map(({ vin }) => vin.slice(-4));

describe('findDevices', () => {
  it('matches truck number, VIN and device id, ignoring case and surrounding spaces', () => {
    // Letters and digits alone are in a VIN too.
    expect(found(' p-88 ')).toEqual(['2788', '8834']);
    expect(found('truck 412')).toEqual(['8834']);
    expect(found('xkyd')).toEqual(['0001']);
    expect(found('pt30')).toEqual(['8834']);
    expect(found('& TRUCK')).toEqual(['2788']);
  });

  it('returns all vehicles for an empty search, and none if nothing matches', () => {
    expect(findDevices(DEVICES, '  ')).toEqual(DEVICES);
    expect(found('null')).toEqual([]);
  });
});
