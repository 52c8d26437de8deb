import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// By its address: the scripts that run before the packages are installed have no types.
const { mergeStyleSheets } = (await import(new URL('./style-sheet.mjs', import.meta.url).href)) as {
  mergeStyleSheets(root: string): void;
};

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'linehaul-styles-'))));
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(root, '.next', name)), { recursive: true });
  writeFileSync(join(root, '.next', name), text);
};
const read = (name: string): string => readFileSync(join(root, '.next', name), 'utf8');

const sheet = (name: string): string => `{"path":"static/chunks/${name}.css","inlined":false}`;
const writeManifest = (page: string, ...names: string[]): void =>
  write(
    `server/app/${page}_client-reference-manifest.js`,
    `{"entryCSSFiles":{"[project]/app/layout":[${sheet('a')},${sheet('b')}],"[project]/app/${page}":[${names.map(sheet).join()}]}}`,
  );

test('the style sheets of the root layout become one, and a page keeps those of its own', () => {
  write('static/chunks/a.css', 'p{margin:0}');
  write('static/chunks/b.css', '.b{margin:1px}');
  write('static/chunks/help.css', '.help{margin:2px}');
  writeManifest('page', 'a', 'b');
  writeManifest('help/page', 'a', 'b', 'help');
  mergeStyleSheets(root);
  const [merged, ...others] = readdirSync(join(root, '.next', 'static', 'chunks'));
  expect(others).toEqual(['help.css']);
  expect(read(`static/chunks/${merged}`)).toBe('p{margin:0}.b{margin:1px}');
  const own = sheet(merged!.replace('.css', ''));
  expect(read('server/app/page_client-reference-manifest.js')).toBe(
    `{"entryCSSFiles":{"[project]/app/layout":[${own}],"[project]/app/page":[${own}]}}`,
  );
  expect(read('server/app/help/page_client-reference-manifest.js')).toContain(`[${own},${sheet('help')}]`);
});

test('a part that loads later asks for the merged style sheet, which is there', () => {
  write('static/chunks/a.css', '');
  write('static/chunks/b.css', '');
  write('static/chunks/menu.js', 'load("static/chunks/b.css")');
  writeManifest('page', 'a', 'b');
  mergeStyleSheets(root);
  const merged = readdirSync(join(root, '.next', 'static', 'chunks')).find((name) => name.endsWith('.css'));
  expect(read('static/chunks/menu.js')).toBe(`load("static/chunks/${merged}")`);
});

test('one style sheet stays as it is', () => {
  write('static/chunks/a.css', 'p{margin:0}');
  write(
    'server/app/page_client-reference-manifest.js',
    `{"entryCSSFiles":{"[project]/app/layout":[${sheet('a')}]}}`,
  );
  mergeStyleSheets(root);
  expect(existsSync(join(root, '.next', 'static/chunks/a.css'))).toBe(true);
});
