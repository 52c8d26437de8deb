import type { GetICUArgs } from '@schummar/icu-type-parser';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage } from 'icu-minify/format';
import { getOrMake } from '@/lib/base/maps';
import { en, type MessageKey, type Messages } from './messages/en';
import { es } from './messages/es';
import { fr } from './messages/fr';

export const LANGUAGES = ['en', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
};

/** The values that a message names. */
type Values<Key extends MessageKey> = GetICUArgs<
  (typeof en)[Key],
  { ICUArgument: string | number; ICUNumberArgument: number }
>;
type Given<Key extends MessageKey> = keyof Values<Key> extends never ? [] : [values: Values<Key>];

/** A message in the translator's language. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: Given<Key>) => string;

export const CATALOG: Readonly<Record<Language, Messages>> = { en, es, fr };

const pluralRules = new Map<string, Intl.PluralRules>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const formatters = {
  getPluralRules: (locale: string) => getOrMake(pluralRules, locale, () => new Intl.PluralRules(locale)),
  getNumberFormat: (locale: string) => getOrMake(numberFormats, locale, () => new Intl.NumberFormat(locale)),
  getDateTimeFormat: (): never => {
    throw new Error('A message has a time as a text: whose clock it is by is not the message’s to say.');
  },
} as unknown as Parameters<typeof format>[3]['formatters'];

/** A language's messages, of which each is compiled when it is first used. */
export const createTranslate = (language: Language): Translate => {
  const compiled = new Map<MessageKey, CompiledMessage>();
  return (key, ...[values]) =>
    format(
      getOrMake(compiled, key, () => compile(CATALOG[language][key])),
      language,
      values as Record<string, string | number> | undefined,
      { formatters },
    ) as string;
};

const translators = new Map<Language, Translate>();

export const toTranslate = (language: Language): Translate =>
  getOrMake(translators, language, () => createTranslate(language));
