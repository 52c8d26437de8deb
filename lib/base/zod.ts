import { config, z } from 'zod';

// The pages' policy forbids eval: zod would try it, which is reported as a violation, before it does without.
if (typeof window !== 'undefined') config({ jitless: true });

export { z };

/** The areas of the IANA time zone database. */
const ZONE_AREA =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\/[A-Z]/;
/** Its names without an area, which are aliases today. */
const ZONES_WITHOUT_AREA = new Set(
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica
  Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal
  W-SU WET Zulu`.split(/\s+/),
);
/** The capitals of the names that are aliases today: a runtime without their list accepts any case of them. */
const WORD = '(?:[A-Z][a-z]+)+';
const ALIAS = new RegExp(
  `^\\w+(?:/(?:${WORD}|Mc[A-Z][a-z]+|ACT|LHI|NSW|UTC|UCT|GMT(?:[+-]?\\d+)?|Knox_IN)(?:[_-](?:${WORD}|of|es|au))*)+$`,
);
/** Current names by their lower-case forms, which runtimes accept too. */
const zoneNames = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));

/** Runtimes also accept offsets such as +05:30, abbreviations of their own such as CST, and any case. */
const isTimeZone = (zone: string): boolean => {
  if (!ZONE_AREA.test(zone) && !ZONES_WITHOUT_AREA.has(zone)) return false;
  const current = zoneNames.get(zone.toLowerCase());
  if (current === undefined ? zone.includes('/') && !ALIAS.test(zone) : current !== zone) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    // Thrown for a zone that is not known.
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** A time zone by its name in the IANA list, old names included. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'That is no time zone. Name one of the IANA list, such as America/Chicago.');

const MAX_NAME_CHARACTERS = 100;
/** Control characters, line and paragraph separators, bidirectional controls and zero-width characters. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/u;

/** Whether every character of a text can be seen: no line breaks, and none that turn or hide others. */
export const isVisible = (text: string): boolean => !INVISIBLE.test(text);

export const personNameSchema = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(MAX_NAME_CHARACTERS, `A name has at most ${MAX_NAME_CHARACTERS} characters.`)
  .refine(isVisible, 'A name has no line breaks and no invisible characters.');

/** The greatest id of a row that is counted by PostgreSQL's `integer`. */
const MAX_ROW_ID = 2 ** 31 - 1;
/** The id of a row: of a site or an alert rule. */
export const rowIdSchema = z.int().min(1).max(MAX_ROW_ID);
