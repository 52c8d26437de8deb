import type { ApiRecord } from './scripted-units';
import { SECOND_MS } from '@/lib/base/time';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** Central Daylight Time is this far behind UTC. */
const ZONE_S = 5 * HOUR_S;

const toUnixS = ({ unixTimestamp }: ApiRecord): number => Number(unixTimestamp);
const toText = (unixS: number): string => new Date(unixS * SECOND_MS).toISOString();
const withoutZone = (unixS: number): string => toText(unixS).slice(0, -'Z'.length);
const toFullHourS = (unixS: number): number => Math.floor(unixS / HOUR_S) * HOUR_S;

const withUnix = (record: ApiRecord, shiftS: number): ApiRecord => ({
  ...record,
  unixTimestamp: toUnixS(record) + shiftS,
});
const withText = (record: ApiRecord, shiftS: number): ApiRecord => ({
  ...record,
  timestamp: toText(toUnixS(record) + shiftS),
});
const withBoth = (record: ApiRecord, shiftS: number): ApiRecord => withText(withUnix(record, shiftS), shiftS);

/** A provider's changes to the times of otherwise sound records that keep being new. */
export const TIME_FAULTS = {
  unixHourBehind: (record) => withUnix(record, -HOUR_S),
  unixHourAhead: (record) => withUnix(record, HOUR_S),
  textHourBehind: (record) => withText(record, -HOUR_S),
  textHourAhead: (record) => withText(record, HOUR_S),
  timesHourBack: (record) => withBoth(record, -HOUR_S),
  timesDayBack: (record) => withBoth(record, -DAY_S),
  timesHourAhead: (record) => withBoth(record, HOUR_S),
  zoneLost: (record) => ({
    ...record,
    unixTimestamp: null,
    timestamp: withoutZone(toUnixS(record) - ZONE_S),
  }),
  zoneLostByBoth: (record) => ({
    ...record,
    unixTimestamp: toUnixS(record) - ZONE_S,
    timestamp: withoutZone(toUnixS(record) - ZONE_S),
  }),
  timesMissing: (record) => ({ ...record, unixTimestamp: null, timestamp: null }),
  timesStandStill: (record) => {
    const hourS = toFullHourS(toUnixS(record));
    return { ...record, unixTimestamp: hourS, timestamp: toText(hourS) };
  },
  unixStandsStill: (record) => ({ ...record, unixTimestamp: toFullHourS(toUnixS(record)) }),
  textStandsStill: (record) => ({ ...record, timestamp: toText(toFullHourS(toUnixS(record))) }),
} as const satisfies Record<string, (record: ApiRecord) => ApiRecord>;

export type TimeFault = keyof typeof TIME_FAULTS;
export const TIME_FAULT_NAMES = Object.keys(TIME_FAULTS) as TimeFault[];
