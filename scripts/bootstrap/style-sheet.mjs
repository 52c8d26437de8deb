import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFiles } from './files.mjs';

const CHUNKS = join('.next', 'static', 'chunks');
const isManifest = (name) => name.endsWith('_client-reference-manifest.js');
/** The style sheets of the root layout, which every page has first. A folder above may be the project of Turbopack. */
const OF_ROOT =
  /"\[project\](?:\/[^"]+)?\/app\/layout":\[((?:\{"path":"static\/chunks\/[\w-]+\.css","inlined":false\},?)+)\]/;

/**
 * Makes one style sheet of those of the root layout: Turbopack writes global styles and modules to two files, and a
 * browser renders nothing before it has both.
 *
 * @throws Error where the build names no style sheet of the root layout
 */
export const mergeStyleSheets = (root) => {
  const manifests = listFiles(root, [join('.next', 'server', 'app')], isManifest);
  const texts = new Map(manifests.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const list = OF_ROOT.exec([...texts.values()].join('\n'))?.[1];
  if (list === undefined) throw new Error('The build names no style sheet of the root layout.');
  const paths = JSON.parse(`[${list}]`).map(({ path }) => path);
  if (paths.length === 1) return;

  const styles = paths.map((path) => readFileSync(join(root, '.next', path), 'utf8')).join('');
  const hash = createHash('sha256').update(styles).digest('hex').slice(0, 13);
  const merged = `static/chunks/${hash}.css`;
  writeFileSync(join(root, '.next', merged), styles);
  for (const [name, text] of texts)
    writeFileSync(join(root, name), text.replaceAll(list, JSON.stringify({ path: merged, inlined: false })));
  for (const path of paths) rmSync(join(root, '.next', path));

  // Parts that load later name the sheets that they need; the browser finds the merged one loaded.
  for (const name of [...manifests, ...listFiles(root, [CHUNKS], (file) => file.endsWith('.js'))]) {
    const text = readFileSync(join(root, name), 'utf8');
    const renamed = paths.reduce((all, path) => all.replaceAll(basename(path), basename(merged)), text);
    if (renamed !== text) writeFileSync(join(root, name), renamed);
  }
};
