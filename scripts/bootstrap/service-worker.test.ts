import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

// By its address: the scripts that run before the packages are installed have no types.
const { listFleetFiles } = (await import(new URL('./service-worker.mjs', import.meta.url).href)) as {
  listFleetFiles(root: string): string[];
};

test("the offline files are those that a fleet's pages name, and those that these name, but not those of managers", () => {
  const root = mkdtempSync(join(tmpdir(), 'linehaul-offline-'));
  const write = (name: string, text = ''): void => {
    mkdirSync(dirname(join(root, '.next', name)), { recursive: true });
    writeFileSync(join(root, '.next', name), text);
  };
  write('build-manifest.json', '"static/chunks/all.js"');
  write('server/app/fleets/[usdot]/page_client-reference-manifest.js', '"/_next/static/chunks/map.js"');
  write('server/app/fleets/[usdot]/page.js', '"static/chunks/server.js"');
  write('server/app/users/page_client-reference-manifest.js', '"/_next/static/chunks/users.js"');
  write('static/chunks/all.js');
  write('static/chunks/map.js', 'load("static/chunks/menu.js", "static/chunks/map.css")');
  write('static/chunks/menu.js', 'load("static/chunks/map.js")');
  write('static/chunks/map.css', 'url(../media/layers.png)');
  for (const name of ['chunks/server.js', 'chunks/users.js', 'chunks/map.js.br', 'media/layers.png'])
    write(`static/${name}`);
  const names = ['chunks/all.js', 'chunks/map.css', 'chunks/map.js', 'chunks/menu.js', 'media/layers.png'];
  expect(listFleetFiles(root)).toEqual(names.map((name) => `.next/static/${name}`));
  rmSync(root, { recursive: true });
});
