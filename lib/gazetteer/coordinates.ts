import type { LatLng } from '@/lib/geo/units';
import { isLand } from './plausible-place';

/** "35.20000, -101.83000". */
export const coordinatesText = ({ lat, lng }: LatLng): string => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

/** The letters of the directions in which latitude and longitude grow, and of the opposite ones. */
export const LATITUDE_LETTERS = 'NS';
export const LONGITUDE_LETTERS = 'EW';

/** The Web Mercator map ends here. */
const MAX_LAT = 85;

/** A text without invisible characters, as they come with numbers that are copied from maps, and with a plain minus sign. */
export const toPlainNumber = (text: string): string =>
  text
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
    .trim()
    .replace(/^[\u2010-\u2015\u2212\uFE63\uFF0D]/, '-');

/** Degrees, minutes and seconds, marked by a degree sign or a letter, with signs or spaces between them. */
const DEGREES_AND_MINUTES =
  /^([NSEW])?\s*(-?)(\d{1,3}(?:\.\d+)?)(?:\s*([°º˚])\s*|\s+|(?=[NSEW]|$))(?:(\d{1,2}(?:\.\d+)?)(?:\s*['′’]\s*|\s+|(?=[NSEW]|$))(?:(\d{1,2}(?:\.\d+)?)\s*(?:["″”]|''|′′)?\s*)?)?([NSEW])?$/i;

/** Degrees of what has minutes or the letter of a direction: "32°46′36″ N", "96.797 W". NaN for anything else. */
const toSexagesimal = (text: string, letters: string): number => {
  const match = DEGREES_AND_MINUTES.exec(text);
  if (!match) return NaN;
  const [, before = '', minus, degrees, degreeSign = '', minutes, seconds, after = ''] = match;
  const letter = (before + after).toUpperCase();
  const isMarked =
    letter.length === 1 ? letters.includes(letter) && minus === '' : letter === '' && degreeSign !== '';
  // Decimals stand in the last of the three alone.
  const parts = [degrees!, minutes, seconds].filter((part) => part !== undefined);
  const areWhole = parts.slice(0, -1).every((part) => !part.includes('.'));
  if (!isMarked || !areWhole || Number(minutes ?? 0) >= 60 || Number(seconds ?? 0) >= 60) return NaN;
  const size = parts.reduce((sum, part, power) => sum + Number(part) / 60 ** power, 0);
  return Math.round((minus === '-' || letter === letters[1] ? -size : size) * 1e7) / 1e7;
};

/** Longer than any number; patterns of numbers may take long for such texts. */
export const MOST_NUMBER_CHARACTERS = 60;

/**
 * Degrees of a text, also with a decimal comma, or with minutes and seconds; NaN for a text that is no number.
 * `letters`: of the two directions that it may name.
 */
export const parseDegrees = (typed: string, letters: string): number => {
  if (typed.length > MOST_NUMBER_CHARACTERS) return NaN;
  const text = toPlainNumber(typed).replace(/^([^,]*),([^,]*)$/, '$1.$2');
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  return toSexagesimal(text, letters);
};

/** The parts of links to maps that hold their place, the pin before the middle of the map. */
const LINK_PLACES = [
  /!3d(?<lat>-?[\d.]+)!4d(?<lng>-?[\d.]+)/,
  /[?&]mlat=(?<lat>-?[\d.]+)&mlon=(?<lng>-?[\d.]+)/,
  /[?&](?:q|query|ll|daddr|destination|coordinate|center|cp)=(?:loc:)?(?<pair>[^&#(]+)/,
  /\/(?:place|search|dir)\/(?<pair>[^/@?#]+)/,
  /@(?<lat>-?[\d.]+),(?<lng>-?[\d.]+)/,
  /[#&]map=[\d.]+\/(?<lat>-?[\d.]+)\/(?<lng>-?[\d.]+)/,
  /^geo:(?<lat>-?[\d.]+),(?<lng>-?[\d.]+)/,
];
const LINK = /^(?:geo:|\w+:\/\/|(?:[\w-]+\.)+[a-z]{2,}(?:\/|\?))/i;

const decode = (link: string): string => {
  try {
    return decodeURIComponent(link.replaceAll('+', ' '));
  } catch {
    return link;
  }
};

/** The texts in a link to a map that may be its place, the best first; numbers of a map's own form are named. */
const readLink = (link: string): string[] =>
  LINK_PLACES.flatMap((part) => [...link.matchAll(new RegExp(part, 'gi'))]).map(
    ({ groups }) => groups!.pair ?? `lat ${groups!.lat}, lon ${groups!.lng}`,
  );

/** Between latitude and longitude, the surest first: a comma alone may be one of decimals. */
const BETWEEN = [
  /(?<=[NSEW])[\s,;/|]*(?=[-+\d])/i,
  /[\s,;/|]*(?=[NSEW]\s*\d)/i,
  /[\s,;/|]+(?=[-+]?\d[\d.]*\s*[°º˚])/,
  /\s*[;/|~]\s*/,
  /\s*,\s+/,
  /\s+/,
  /\s*,\s*/,
];

/** Where two degrees are; null outside of the map. What would be no place of a US carrier, and is one swapped, is swapped. */
const toPlace = (lat: number, lng: number): LatLng | null => {
  const isPlace = Math.abs(lat) <= MAX_LAT && Math.abs(lng) <= 180;
  if (!isLand({ lat, lng }) && isLand({ lat: lng, lng: lat })) return { lat: lng, lng: lat };
  return isPlace ? { lat, lng } : null;
};

const DIRECTION = /[NSW]|E(?!\d)|^\s*E/i;
const DEGREE_SIGN = /[°º˚]/;
/** Two places or more; three after a comma are thousands. */
const PLACES = /\.\d{2}|,\d{2}(?:\d{2,})?(?!\d)/;

/** Whether two numbers are unmistakably degrees, and no date, trucks, exit, address or part of a phone number. */
const areDegrees = (first: string, second: string): boolean =>
  [DIRECTION, DEGREE_SIGN, PLACES].some((mark) => mark.test(first) && mark.test(second)) ||
  [first, second].some((number) => number.trim().startsWith('-'));

const parsePair = (text: string, isNamed: boolean): LatLng | null => {
  for (const between of BETWEEN) {
    const parts = text.split(between).filter((part) => part !== '');
    if (parts.length !== 2) continue;
    const [first, second] = parts as [string, string];
    if (!isNamed && !areDegrees(first, second)) continue;
    const [lat, lng] = [parseDegrees(first, LATITUDE_LETTERS), parseDegrees(second, LONGITUDE_LETTERS)];
    if (!Number.isNaN(lat + lng)) return toPlace(lat, lng);
    const swapped = [parseDegrees(second, LATITUDE_LETTERS), parseDegrees(first, LONGITUDE_LETTERS)] as const;
    if (!Number.isNaN(swapped[0] + swapped[1])) return toPlace(...swapped);
  }
  return null;
};

const NAMES = /\b(?:latitude|longitude|lat|long|lon|lng)\b\.?\s*[:=]?/gi;
const MOST_PAIR_CHARACTERS = 2 * MOST_NUMBER_CHARACTERS;
/** Longer links to maps are not made. */
export const MOST_LINK_CHARACTERS = 1000;

/** Two numbers as they are read out. */
const UNSIGNED = /^[\s\d.,;]+$/;

/**
 * The coordinates in a text as people paste them: degrees with two decimals or more, a minus sign, degree signs or letters,
 * in either order where only one is a place of a US carrier, without the minus of the West where only it is one, and links
 * to maps; null where it may be something else.
 */
export const parseCoordinates = (typed: string): LatLng | null => {
  const at = readCoordinates(typed);
  if (at === null || !UNSIGNED.test(typed) || isLand(at)) return at;
  const west = { ...at, lng: -at.lng };
  return isLand(west) ? west : at;
};

const readCoordinates = (typed: string): LatLng | null => {
  const text = toPlainNumber(typed.slice(0, MOST_LINK_CHARACTERS));
  if (LINK.test(text)) {
    for (const part of readLink(decode(text))) {
      const at = readCoordinates(part);
      if (at !== null) return at;
    }
    return null;
  }
  if (text.length > MOST_PAIR_CHARACTERS || !/\d/.test(text)) return null;
  const plain = text
    .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
    .replace(NAMES, ' ')
    .replace(/[()[\]]/g, ' ')
    .trim();
  return parsePair(plain, text.match(NAMES)?.length === 2);
};
