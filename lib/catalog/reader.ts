import { LANGUAGES, type Language } from './catalog';

export type Units = 'imperial' | 'metric';

/** Whose words, units and clock a text has. */
export interface Reader {
  language: Language;
  /** The language as it is written in the reader's country: "es-US". */
  locale: string;
  units: Units;
  /** The reader's own time zone (an IANA name); null: it is not known. */
  zone: string | null;
}

interface Tag {
  language: string;
  /** "US"; empty where the tag names none. */
  region: string;
  weight: number;
}

/** No browser sends more. */
const MOST_TAGS = 20;
const TAG = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-[a-z\d]+)*$/i;

/** The tags of an Accept-Language header, the most wanted first (RFC 9110, section 12.5.4). */
const parseTags = (header: string): Tag[] =>
  header
    .split(',', MOST_TAGS)
    .flatMap((part): Tag[] => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const [, language, region = ''] = TAG.exec(tag) ?? [];
      const q = parameters.find((parameter) => /^q=/i.test(parameter));
      const weight = q === undefined ? 1 : Number(q.slice(2));
      return language === undefined || !(weight > 0 && weight <= 1)
        ? []
        : [{ language: language.toLowerCase(), region: region.toUpperCase(), weight }];
    })
    .sort((a, b) => b.weight - a.weight);

export const isLanguage = (text: unknown): text is Language => LANGUAGES.includes(text as Language);

/** Countries whose roads are signed in miles. */
const IN_MILES = new Set(['US', 'LR', 'MM', 'GB', 'PR', 'GU', 'VI', 'AS', 'MP']);
/** Where the country of a reader is not known. French of no country is Québec's here, which is next door. */
const USUAL_REGION: Readonly<Record<Language, string>> = { en: 'US', es: 'US', fr: 'CA' };
/** The reader of a mail or a calendar, of whom only the language is known, by the clock of a zone. */
export const toUsualReader = (language: Language, zone: string): Reader & { zone: string } => ({
  language,
  locale: `${language}-${USUAL_REGION[language]}`,
  units: IN_MILES.has(USUAL_REGION[language]) ? 'imperial' : 'metric',
  zone,
});

/** Countries in which these languages are at home; another one has its own units and English's clock otherwise. */
const isRegion = (region: string): boolean => /^[A-Z]{2}$/.test(region);

/** Zones by name, each as the first request wrote it: a lookup costs more than a Map. */
const knownZones = new Map<string, string | null>();
const MOST_ZONES = 2000;

/** The name of a time zone that this server knows; null for another text. */
export const toZone = (text: string | null): string | null => {
  if (text === null || text.length > 64) return null;
  const known = knownZones.get(text);
  if (known !== undefined) return known;
  let zone: string | null = null;
  try {
    zone = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch (refused) {
    if (!(refused instanceof RangeError)) throw refused;
  }
  if (knownZones.size < MOST_ZONES) knownZones.set(text, zone);
  return zone;
};

/**
 * The reader of a request: by the language that the address names, else by Accept-Language; English where neither is one of
 * ours. The country is that of the language's tag, else of the first tag with one.
 */
export const toReader = (
  acceptLanguage: string | null,
  named: { language: string | null; zone: string | null },
): Reader => {
  const tags = parseTags(acceptLanguage ?? '');
  const language = isLanguage(named.language)
    ? named.language
    : ((tags.find((tag) => isLanguage(tag.language))?.language as Language | undefined) ?? 'en');
  const region =
    tags.find((tag) => tag.language === language && isRegion(tag.region))?.region ??
    tags.find((tag) => isRegion(tag.region))?.region ??
    USUAL_REGION[language];
  return {
    language,
    locale: `${language}-${region}`,
    units: IN_MILES.has(region) ? 'imperial' : 'metric',
    zone: toZone(named.zone),
  };
};
