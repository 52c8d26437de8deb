import { z } from 'zod';
import { isPrintable } from '@/lib/identity/text';
import type { FixInput } from '../store/inputs';
import { MAX_ALARM_CHARACTERS, MAX_ODOMETER_M } from '../store/schema';
import { toBatteryPercent, toNumber } from './fields';

/** What a device reports besides a fix, by the names of Traccar's attributes of a position. */
export const attributesSchema = z.record(z.string(), z.unknown());
export type Attributes = z.infer<typeof attributesSchema>;

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const toOdometerM = (value: unknown): number | null => {
  const odometerM = toNumber(value);
  return odometerM !== null && odometerM > 0 && odometerM <= MAX_ODOMETER_M ? Math.round(odometerM) : null;
};

const toAlarm = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= MAX_ALARM_CHARACTERS && isPrintable(text) ? text : null;
};

/** The battery of the device. */
export const readBatteryPercent = ({ batteryLevel }: Attributes): number | null =>
  toBatteryPercent(toNumber(batteryLevel), 100);

/**
 * The state of the vehicle. `odometer`, or that of the diagnostic port, is in meters; 0 is what a device without one
 * sends. A value that cannot be read is unknown and never costs the position.
 */
export const readVehicleState = ({
  ignition,
  odometer,
  obdOdometer,
  alarm,
}: Attributes): Pick<FixInput, 'isIgnitionOn' | 'odometerM' | 'alarm'> => ({
  isIgnitionOn: FLAGS[String(ignition)] ?? null,
  odometerM: toOdometerM(odometer) ?? toOdometerM(obdOdometer),
  alarm: toAlarm(alarm),
});
