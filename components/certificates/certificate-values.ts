import { DAY_MS, SECOND_MS, type TimeRange } from '@/lib/base/time';
import { LONGEST_MS, type CertificateField, type CertificateInput } from '@/lib/proof/certificate';
import { toMoment, toWallClock } from '@/lib/trips/days';

/** A certificate as it is typed; times as of inputs, by the names that the server gives to their faults: "2026-11-29T14:10:00". */
export interface CertificateValues {
  isMoment: boolean;
  fromMs: string;
  toMs: string;
  fields: CertificateField[];
  isShownByNumber: boolean;
}

export const FIELD_LABELS: Readonly<Record<CertificateField, string>> = {
  truckNumber: 'Truck number',
  vin: 'VIN',
  plate: 'Plate',
  status: 'What it did',
  place: 'Nearest place',
  sites: 'Visits to your sites',
};

const typeMoment = (ms: number, zone: string): string => toWallClock(ms, zone).replace(' ', 'T');

/** NaN for what is no time. */
const readMoment = (text: string, zone: string): number => {
  const [day = '', time = ''] = text.split('T');
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^\d\d:\d\d/.test(time)) return NaN;
  return toMoment(day, time.length === 5 ? `${time}:00` : time, zone);
};

/** What is offered first: a range that has come, or the present moment, both in whole seconds. */
export const toFirstValues = (range: TimeRange | null, nowMs: number, zone: string): CertificateValues => {
  // The server's clock is known to about a second.
  const lastMs = Math.floor(nowMs / SECOND_MS - 1) * SECOND_MS;
  const toMs = range === null ? lastMs : Math.min(range.toMs, lastMs);
  const fromMs =
    range === null
      ? lastMs
      : Math.max(range.fromMs, toMs - (range.toMs - range.fromMs <= LONGEST_MS ? LONGEST_MS : DAY_MS));
  return {
    ...{ isMoment: range === null, fromMs: typeMoment(fromMs, zone), toMs: typeMoment(toMs, zone) },
    fields: ['truckNumber', 'vin', 'status', 'place'],
    isShownByNumber: false,
  };
};

/** Where a range begins that is chosen in place of a moment: a day before it; a range that was typed stays. */
export const toRangeStart = (
  { isMoment, fromMs, toMs }: Pick<CertificateValues, 'isMoment' | 'fromMs' | 'toMs'>,
  zone: string,
): string => {
  const atMs = readMoment(fromMs, zone);
  return isMoment && fromMs === toMs && !Number.isNaN(atMs) ? typeMoment(atMs - DAY_MS, zone) : fromMs;
};

export const toCertificateInput = (
  { isMoment, fromMs, toMs, fields, isShownByNumber }: CertificateValues,
  unit: string,
  zone: string,
): CertificateInput => ({
  ...{ unit, fromMs: readMoment(fromMs, zone), toMs: readMoment(isMoment ? fromMs : toMs, zone) },
  ...{ fields, isShownByNumber },
});
