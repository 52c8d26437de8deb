import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The texts of a screen in a source file: between tags, in attributes that are read, and in tables of labels. */
const PATTERNS = [
  />\s*([^<>{}=;]*[A-Za-z][^<>{}=;]*)<\//g,
  /\b(?:label|title|aria-label|placeholder|action|description|alt)="([^"]+)"/g,
  /\b(?:label|title|aria-label|placeholder|action|description)=\{[`'"]([^`'"]+)[`'"]\}/g,
  /\b(?:label|title|message|text|hint|description|placeholder|detail)\s*:\s*['"`]([^'"`]+)['"`]/g,
];

interface ScreenText {
  file: string;
  text: string;
}

const listTexts = (): ScreenText[] =>
  ['components', 'app', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => (folder === 'lib' ? /\/(?:text|kinds)\.ts$/ : /\.tsx$/).test(file))
      .flatMap((name) => {
        const file = `${folder}/${name}`;
        const source = readFileSync(file, 'utf8');
        return PATTERNS.flatMap((pattern) =>
          [...source.matchAll(pattern)].map((match) => ({
            file,
            text: match[1]!.replace(/\$\{[^}]*\}|\s+/g, ' ').trim(),
          })),
        );
      }),
  );

const texts = listTexts();
const listWith = (pattern: RegExp, isFile: (file: string) => boolean = () => true): string[] =>
  texts
    .filter(({ file, text }) => isFile(file) && pattern.test(text))
    .map((each) => Object.values(each).join(': '));

/** Where it is said what an owner registers, with its plate, make and model. */
const REGISTERED = /^components\/(?:devices|fleet-source|getting-started)\//;

/** The word of a screen, and those that mean the same thing. */
const ONE_NAME: [name: string, others: RegExp][] = [
  ['USDOT number', /\bDOT (?:number|#)|\bUSDOT ID\b/i],
  ['site', /\bgeofence|\blandmark/i],
  ['alert', /\balarm/i],
  ['acknowledge', /\back(?:ed)?\b/i],
  ['position', /\bGPS (?:position|location|point)|\bping\b/i],
  ['sign in', /\blog ?(?:in|on)\b/i],
  ['sign out', /\blog ?out\b/i],
  ['e-mail', /\bemail/i],
  ['roster', /\brooster|\bvehicle list/i],
  ['color, gray, center, license', /\bcolour|\bgrey\b|\bcentre\b|\blicence\b/i],
];

it('finds the texts of screens', () => {
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Who was here?', 'Which trucks are free?', 'Truck or tag']),
  );
});

it('a truck is a truck on each screen, and a vehicle only where it is registered', () => {
  expect(listWith(/\bvehicle/i, (file) => !REGISTERED.test(file))).toEqual([]);
});

it.each(ONE_NAME)('%s has one name', (_, others) => {
  expect(listWith(others)).toEqual([]);
});

/** Names, of which a sentence keeps the capitals. */
const NAMES = new Set(
  [
    'Linehaul Excel Parquet Google Earth Texas Dallas Yard Amarillo Chicago Joplin Traccar Teltonika Redis Pandas Spark',
    // Keys that another program's menu calls so.
    'Keys',
    'January February March April May June July August September October November December',
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun',
  ]
    .join(' ')
    .split(' '),
);

/** The capitals in a label that begin neither it nor a sentence, a label that it names, or a name. */
const listCapitals = (text: string): string[] =>
  text
    .split(/[.:?!→“”"()•·|]\s*/)
    .flatMap((part) => part.trim().split(/\s+/).slice(1))
    .filter((word) => /^[A-Z][a-z]+$/.test(word) && !NAMES.has(word));

it('labels are in sentence case', () => {
  const labels = texts.filter(({ text }) => /^[A-Z]/.test(text) && text.length <= 60);
  expect(labels.length).toBeGreaterThan(400);
  expect(
    labels.filter(({ text }) => listCapitals(text).length > 0).map(({ file, text }) => `${file}: ${text}`),
  ).toEqual([]);
});
