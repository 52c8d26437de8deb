import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** `path/of.test.ts` › the title of a test, or a part of it; or the file alone. */
const NAMED = /`([\w/.-]+\.(?:test|spec)\.ts)`(?: › ([^;|]+))?/g;

test('every finding names tests that exist', () => {
  const rows = readFileSync('docs/findings.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| *\d+ /.test(line));
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual([...upTo(37), ...upTo(40)]);
  const missing = rows.flatMap((row) =>
    [...row.matchAll(NAMED)]
      .filter(([, file = '', title]) => {
        const source = existsSync(file) ? readFileSync(file, 'utf8').replaceAll("\\'", "'") : '';
        return source === '' || (title !== undefined && !source.includes(title.trim()));
      })
      .map(([whole]) => whole),
  );
  expect(missing).toEqual([]);
  expect(rows.filter((row) => !/`[\w/.-]+\.(?:test|spec)\.ts`|by hand/.test(row))).toEqual([]);
});
