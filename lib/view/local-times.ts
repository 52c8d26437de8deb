import { exactWords } from './clock';

const UTC_TIME = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC/g;
/** Further off than this, a day without its year is ambiguous. */
const HALF_A_YEAR_MS = 182 * 86_400_000;

/**
 * The server's text with its UTC times in the reader's zone (or an IANA name's), like all other times on the
 * screen: "until Nov 20, 08:07:31 CST". One of another year stays as it is.
 */
export const inLocalTimes = (words: string, nowMs: number, zone?: string): string =>
  words.replace(UTC_TIME, (utc, day: string, time: string) => {
    const ms = Date.parse(`${day}T${time}Z`);
    return Math.abs(nowMs - ms) < HALF_A_YEAR_MS ? exactWords(ms, nowMs, zone) : utc;
  });
