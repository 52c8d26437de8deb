import type { Device, Refusal } from './schema';

/** A device that reports and that no vehicle has. */
export interface UnknownDevice {
  deviceId: string;
  /** Its reports among the last refusals, and the newest of them. */
  reports: number;
  atMs: number;
  tokenName: string;
}

/** The devices of refused reports that no vehicle has by now, the newest first. */
export const listUnknownDevices = (
  refusals: readonly Refusal[],
  devices: readonly Pick<Device, 'deviceId'>[],
): UnknownDevice[] => {
  const known = new Set(devices.map(({ deviceId }) => deviceId));
  const unknown = new Map<string, UnknownDevice>();
  for (const { deviceId, atMs, tokenName } of refusals) {
    if (deviceId === null || known.has(deviceId)) continue;
    const newest = unknown.get(deviceId);
    if (newest === undefined) unknown.set(deviceId, { deviceId, reports: 1, atMs, tokenName });
    else newest.reports += 1;
  }
  return [...unknown.values()];
};

const REASONS: Readonly<Record<string, string>> = {
  unknown_device: 'No vehicle has this device',
  invalid_input: 'The report cannot be read',
  clock_fault: 'The clock of the device is wrong',
  encrypted_payload: 'The report is encrypted',
  batch_too_large: 'Too many locations at once',
  body_too_large: 'The report is too large',
  compressed_body: 'The report is compressed',
};

/** Why a report was refused; the code itself for a reason of a newer service. */
export const refusalText = (code: string): string => REASONS[code] ?? code;
