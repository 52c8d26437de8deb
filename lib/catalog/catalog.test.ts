import { readFileSync, readdirSync } from 'node:fs';
import compile from 'icu-minify/compile';
import { expect, it } from 'vitest';
import { CATALOG, LANGUAGES, toTranslate } from './catalog';
import type { MessageKey } from './messages/en';

const KEYS = Object.keys(CATALOG.en) as MessageKey[];
/** They are written the same in two languages. */
const SAME: readonly MessageKey[] = ['duration.minutes', 'duration.hours', 'duration.days', 'truck.vin'];

/** The arguments that the nodes of a compiled message name, each with its kind by the compiler's numbers. */
const listArguments = (nodes: unknown): string[] =>
  !Array.isArray(nodes)
    ? []
    : nodes.flatMap((node: unknown) => {
        if (!Array.isArray(node)) return [];
        const [name, kind, branches = {}] = node as [string, unknown, object?];
        return [
          `${name} ${kind === undefined ? 'text' : String(kind)}`,
          ...Object.values(branches).flatMap(listArguments),
        ];
      });
const argumentsOf = (message: string): string[] => [...new Set(listArguments(compile(message)))].sort();

it('has each message in each language, and no other', () => {
  for (const language of LANGUAGES) expect(Object.keys(CATALOG[language]), language).toEqual(KEYS);
});

it('has no message that is empty or not translated', () => {
  for (const key of KEYS) {
    for (const language of LANGUAGES) expect(CATALOG[language][key].trim(), key).toBe(CATALOG[language][key]);
    const texts = LANGUAGES.map((language) => CATALOG[language][key]);
    expect(
      texts.every((text) => text !== ''),
      key,
    ).toBe(true);
    if (!SAME.includes(key)) expect(new Set(texts.slice(1)).has(texts[0]!), key).toBe(false);
  }
  expect(SAME.filter((key) => !KEYS.includes(key))).toEqual([]);
});

it('has no French line that begins with a mark: the space before it does not break', () => {
  for (const key of KEYS) expect(CATALOG.fr[key], key).not.toMatch(/ [:;!?»]|« /);
});

it('names the same arguments in each language', () => {
  for (const key of KEYS)
    for (const language of LANGUAGES)
      expect(argumentsOf(CATALOG[language][key]), `${language} ${key}`).toEqual(argumentsOf(CATALOG.en[key]));
});

it('has no message that nothing uses', () => {
  const sources = ['app', 'components', 'lib', 'server']
    .flatMap((root) => readdirSync(root, { recursive: true }).map((path) => `${root}/${String(path)}`))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^lib\/catalog\/messages\//.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((source) => source.includes('/catalog/') || source.includes("'./catalog'"))
    .join('\n');
  expect(KEYS.filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
});

it('writes plurals and choices by the language', () => {
  const [en, es, fr] = LANGUAGES.map(toTranslate);
  expect([1, 2].map((count) => en!('share.loads', { count }))).toEqual(['1 load', '2 loads']);
  expect([1, 2].map((count) => es!('share.trucks', { count }))).toEqual(['1 camión', '2 camiones']);
  // None is singular in French.
  expect([0, 2].map((count) => fr!('share.loads', { count }))).toEqual(['0 chargement', '2 chargements']);
  const given = { distance: '9 mi', direction: 'W', place: 'Rolla, MO' };
  expect(en!('place.offset', given)).toBe('9 mi west of Rolla, MO');
  expect(es!('place.offset', given)).toBe('A 9 mi al oeste de Rolla, MO');
  expect(fr!('place.offset', given)).toBe('À 9 mi à l’ouest de Rolla, MO');
});

it('ends no Spanish sentence with a time, whose half of the day ends with a point', () => {
  expect(KEYS.filter((key) => /\{(time|moment|range)\}\./.test(CATALOG.es[key]))).toEqual([]);
});

it('leaves marks of a value as they are', () => {
  expect(toTranslate('en')('place.near', { place: "{x} <b> # '" })).toBe("Near {x} <b> # '");
});
