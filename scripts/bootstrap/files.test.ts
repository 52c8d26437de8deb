import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

interface Files {
  listFiles(root: string, names: string[], wanted?: (name: string) => boolean): string[];
  hashFiles(root: string, names: string[]): string;
  listImports(root: string, entry: string): string[];
}
// By its address: the scripts that run before the packages are installed have no types.
const { hashFiles, listFiles, listImports } = (await import(
  new URL('./files.mjs', import.meta.url).href
)) as Files;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'linehaul-files-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

test('lists files and folders in one order, without what is missing or unwanted', () => {
  write('lib/b.ts', '');
  write('lib/a/c.ts', '');
  write('lib/b.test.ts', '');
  write('next.config.mjs', '');
  const wanted = (name: string) => !name.endsWith('.test.ts');
  expect(listFiles(root, ['next.config.mjs', 'lib', 'absent'], wanted)).toEqual([
    'lib/a/c.ts',
    'lib/b.ts',
    'next.config.mjs',
  ]);
});

test('the hash follows names and contents, not times', () => {
  write('a.ts', 'one');
  write('b.ts', 'two');
  const before = hashFiles(root, ['a.ts', 'b.ts']);
  utimesSync(join(root, 'a.ts'), 1, 1);
  expect(hashFiles(root, ['a.ts', 'b.ts'])).toBe(before);
  expect(hashFiles(root, ['a.ts'])).not.toBe(before);
  write('a.ts', 'onet');
  write('b.ts', 'wo');
  expect(hashFiles(root, ['a.ts', 'b.ts'])).not.toBe(before);
});

test('finds what a script imports, at any depth, also types and data', () => {
  write(
    'scripts/data/build-x.ts',
    "import { y } from './y';\nimport type { Z } from '@/lib/z';\nimport fs from 'node:fs';",
  );
  write('scripts/data/y.ts', "export { table } from '@/lib/table.json';\nexport * from './build-x';");
  write('lib/z.ts', "const later = () => import('./later');");
  write('lib/later.ts', '');
  write('lib/table.json', '[]');
  write('lib/unrelated.ts', '');
  expect(listImports(root, 'scripts/data/build-x.ts')).toEqual([
    'lib/later.ts',
    'lib/table.json',
    'lib/z.ts',
    'scripts/data/build-x.ts',
    'scripts/data/y.ts',
  ]);
});
