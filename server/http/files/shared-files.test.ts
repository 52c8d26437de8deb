import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSharedFiles } from './shared-files';

const folder = mkdtempSync(join(tmpdir(), 'shared-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PATHS = ['/_next/static/chunks/a.js', '/_next/static/chunks/b.js'] as const;
const copies = new Map(
  PATHS.map((path, i) => {
    const copy = join(folder, `${i}.br`);
    writeFileSync(copy, `bytes of ${path}`);
    return [path as string, copy];
  }),
);

const setUp = () => {
  const stored = new Map<string, Buffer>();
  const warnings: object[] = [];
  const cluster = {
    eval: async (script: string, [name]: string[], [value]: (string | Buffer)[]) => {
      if (script.includes('PEXPIRE')) return stored.has(name!) ? 1 : 0;
      return stored.set(name!, value as Buffer);
    },
    readBytes: async (name: string) => stored.get(name) ?? null,
    onReturn: () => () => undefined,
  };
  const log = { debug: () => undefined, warn: (fields: object) => void warnings.push(fields) };
  const open = (secret: string) => createSharedFiles(cluster, { secret, log });
  return { stored, warnings, open };
};

it('has the files of the builds of other servers, and none that is not as they stored it', async () => {
  const { stored, warnings, open } = setUp();
  open('secret').share(copies);
  await expect.poll(() => stored.size).toBe(2);
  const { read } = open('secret');
  for (const path of PATHS) expect((await read(path))?.toString()).toBe(`bytes of ${path}`);
  expect(await read('/_next/static/chunks/none.js')).toBeNull();
  expect(warnings).toEqual([]);

  const [first, second] = [...stored.keys()] as [string, string];
  const bytes = stored.get(first)!;
  const changed = Buffer.from(bytes);
  changed[changed.length - 1]! ^= 1;
  const others = [
    changed,
    stored.get(second)!,
    Buffer.from('alert(1)'),
    Buffer.alloc(0),
    bytes.subarray(0, -1),
  ];
  for (const other of others) {
    stored.set(first, other);
    expect(await read(PATHS[0])).toBeNull();
  }
  stored.set(first, bytes);
  expect(await open('another secret').read(PATHS[0])).toBeNull();
  expect(warnings).toEqual(Array(others.length + 1).fill({ path: PATHS[0] }));
});
