/**
 * `npm run bench:load`: how fast the application opens and answers. With `-- --against FOLDER` another built checkout is
 * measured in the same rounds, as the column "before".
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { publishReport, toMarkdown } from '../support/report';
import { openBrowser } from './browser';
import { measureAll, toMeasured, type Measured } from './measure';
import { FULL, SMOKE } from './plan';
import { toSections } from './sections';
import { toWaterfall } from './waterfall';

const FILMS = fileURLToPath(new URL('../results/load/', import.meta.url));
const ABOUT =
  'The production build with its demo of 400 trucks in Chromium on the same machine. Each load starts with an empty cache; no other host is reachable, so no street map is loaded. Lighthouse runs with its default presets. The slow phone is Lighthouse’s (slow 4G, a processor four times slower), but slowed down by Chromium’s developer tools instead of simulated: each request waits 563 ms. Median, least and most.';

const { smoke: isSmoke = false, against } = parseArgs({
  options: { smoke: { type: 'boolean' }, against: { type: 'string' } },
}).values;
const plan = isSmoke ? SMOKE : FULL;

const publishFilm = ({ name, films }: Measured): void => {
  mkdirSync(FILMS, { recursive: true });
  for (const { atMs, png } of films) writeFileSync(`${FILMS}phone-${name}-${atMs / 1000}s.png`, png);
};

const toWaterfalls = (measured: readonly Measured[]): string =>
  measured
    .map(({ name, loads, films }) => {
      const chart = toWaterfall(loads.get(plan.sizes[0]!)!);
      const pictures = films.map(
        ({ atMs }) => `![after ${atMs / 1000} s](load/phone-${name}-${atMs / 1000}s.png)`,
      );
      return `\n## The slow phone, ${name}\n\nAfter 1, 2 and 3 seconds:\n\n${pictures.join(' ')}\n\n\`\`\`text\n${chart}\n\`\`\`\n`;
    })
    .join('');

const startedAtMs = Date.now();
const [busyBefore] = loadavg() as [number];
const here = fileURLToPath(new URL('../../', import.meta.url));
const measured = [
  ...(against === undefined ? [] : [toMeasured('before', resolve(against))]),
  toMeasured('now', here),
];
const browser = await openBrowser();
try {
  await measureAll(browser, plan, measured);
  const [busyAfter] = loadavg() as [number];
  const about = `${ABOUT} Load average of the machine before and after the run: ${busyBefore.toFixed(1)} and ${busyAfter.toFixed(1)}.`;
  const report = toMarkdown('First load', about, toSections(measured, plan), startedAtMs);
  publishReport('load', report + toWaterfalls(measured), { isKept: !isSmoke });
  if (!isSmoke) measured.forEach(publishFilm);
} finally {
  await browser.close();
}
