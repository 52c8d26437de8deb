import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clockOf } from '@/testing/clock';
import { createStreetArchive } from '@/testing/map/create-street-archive';
import { createArchiveSource, toArchiveName } from './archive-source';
import { StreetArchive } from './street-archive';

const folder = mkdtempSync(join(tmpdir(), 'street-archive-'));
const path = join(folder, 'streets.pmtiles');
afterAll(() => rm(folder, { recursive: true }));

const archiveOf = (name: string) =>
  createStreetArchive({
    minZoom: 6,
    maxZoom: 8,
    attribution: `© ${name}`,
    features: [{ layer: 'roads', kind: 'highway', type: 'line', points: [[-105, 39], [-104, 39]], more: { name } }], // oxfmt-ignore
  });

let nowMs = 0;
const warn = vi.fn();
const open = (place = path) =>
  new StreetArchive({
    source: createArchiveSource(place),
    name: toArchiveName(place),
    clock: clockOf(() => nowMs),
    log: { warn },
  });
const textOf = (tile: { bytes: Uint8Array } | null) =>
  tile ? gunzipSync(tile.bytes).toString('latin1') : null;
/** A tile on the road. */
const ON_ROAD = [7, 26, 48] as const;

beforeEach(async () => {
  warn.mockClear();
  await writeFile(path, archiveOf('First Road'));
});

describe('StreetArchive', () => {
  it('reads what the archive covers, and its tiles', async () => {
    const archive = open();
    expect(await archive.readMap()).toEqual({
      minZoom: 6,
      maxZoom: 8,
      attribution: [{ text: '© First Road', href: null }],
    });
    const tile = await archive.readTile(...ON_ROAD);
    expect(textOf(tile)).toContain('First Road');
    expect(tile!.etag).toMatch(/^"[\w-]{22}"$/);
    expect(await archive.readTile(...ON_ROAD)).toBe(tile);
    expect(await archive.readTile(7, 0, 0)).toBeNull();
    expect(await archive.readTile(12, 0, 0)).toBeNull();
  });

  it('reads a newer archive that was renamed over it, tiles and all', async () => {
    const archive = open();
    const first = await archive.readTile(...ON_ROAD);
    await writeFile(`${path}.new`, archiveOf('Other Road'));
    await rename(`${path}.new`, path);
    expect((await archive.readMap())?.attribution).toEqual([{ text: '© Other Road', href: null }]);
    const second = await archive.readTile(...ON_ROAD);
    expect(textOf(second)).toContain('Other Road');
    expect(second!.etag).not.toBe(first!.etag);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is unavailable while the file is away, says so once, and comes back', async () => {
    const archive = open();
    await archive.readMap();
    await rm(path);
    expect(await archive.readMap()).toBeNull();
    await expect(archive.readTile(7, 1, 1)).rejects.toMatchObject({ code: 'street-map-unavailable' });
    nowMs += 11_000;
    expect(await archive.readMap()).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0]![0].reason)).toContain('There is no such file.');
    await writeFile(path, archiveOf('Third Road'));
    expect(await archive.readMap()).toBeNull();
    nowMs += 11_000;
    expect((await archive.readMap())?.attribution).toEqual([{ text: '© Third Road', href: null }]);
    expect(warn).toHaveBeenLastCalledWith({ archive: path }, 'The street map can be read again.');
  });

  it('refuses a file that is no archive, and a tile that is damaged, and reads the others', async () => {
    await writeFile(path, 'not an archive at all, but long enough for its header'.repeat(10));
    expect(await open().readMap()).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
    const bytes = archiveOf('First Road');
    bytes.fill(7, bytes.length - 60);
    await writeFile(path, bytes);
    const damaged = open();
    const results = await Promise.allSettled(
      [53, 54].map((x) => damaged.readTile(8, x, 97)).concat(damaged.readTile(...ON_ROAD)),
    );
    expect(results).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'street-tile-damaged' }),
    });
    expect(results.at(-1)!.status).toBe('fulfilled');
    expect(await damaged.readMap()).not.toBeNull();
  });
});

const serve = async (listener: RequestListener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { port: (server.address() as AddressInfo).port, close };
};

describe('an archive at a URL', () => {
  it('is read by ranges, with the credentials of the URL, which no log names', async () => {
    const bytes = archiveOf('Far Road');
    const seen: (string | undefined)[] = [];
    const { port, close } = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '')!;
      response.writeHead(206, { etag: '"one"' }).end(bytes.subarray(Number(from), Number(to) + 1));
    });
    const archive = open(`http://dispatch:hidden-word@127.0.0.1:${port}/us.pmtiles?token=hidden-token`);
    expect(textOf(await archive.readTile(...ON_ROAD))).toContain('Far Road');
    expect(new Set(seen)).toEqual(new Set([`Basic ${btoa('dispatch:hidden-word')}`]));
    await close();
    expect(await archive.readMap()).toBeNull();
    expect(JSON.stringify(warn.mock.calls)).toContain(`http://127.0.0.1:${port}/us.pmtiles`);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('hidden');
  });

  it('is refused where the host sends the whole file instead of a range', async () => {
    const { port, close } = await serve((_request, response) => response.writeHead(200).end('all of it'));
    expect(await open(`http://127.0.0.1:${port}/us.pmtiles`).readMap()).toBeNull();
    expect(String(warn.mock.calls[0]![0].reason)).toContain('does not support range requests');
    await close();
  });
});
