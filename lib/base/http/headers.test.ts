import { describe, expect, it } from 'vitest';
import { toPagePolicy, toTileSource } from './headers';

const OPENSTREETMAP = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

describe('toTileSource', () => {
  it('returns the origin of the tiles', () => {
    expect(toTileSource(OPENSTREETMAP)).toBe('https://tile.openstreetmap.org');
    expect(toTileSource('http://127.0.0.1:8080/{z}/{x}/{y}.png?key=k')).toBe('http://127.0.0.1:8080');
  });

  it('keeps the part of the host that a template leaves open as a wildcard', () => {
    expect(toTileSource('https://{s}.tile.example/{z}/{x}/{y}.png')).toBe('https://*.tile.example');
    expect(toTileSource('https://a.tiles-{s}.example.com:444/{z}/{x}/{y}')).toBe('https://*.example.com:444');
  });

  it('returns null for our own server, for no tiles, and for a template that could inject a directive', () => {
    for (const url of [null, '/tiles/{z}/{x}/{y}.png', 'https://a.example;script-src *//{z}{x}{y}'])
      expect(toTileSource(url), String(url)).toBeNull();
  });
});

describe('toPagePolicy', () => {
  const policy = toPagePolicy({ nonce: 'bm9uY2U=', tilesUrl: OPENSTREETMAP, isDevelopment: false });
  const read = (name: string) => policy.split('; ').find((directive) => directive.startsWith(`${name} `));

  it('allows scripts with the nonce and what they load, and nothing else', () => {
    expect(read('script-src')).toBe("script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic'");
    expect(read('style-src')).toBe("style-src 'self' 'nonce-bm9uY2U='");
    expect(policy).not.toContain('unsafe-eval');
    expect(policy.match(/unsafe-inline/g)).toHaveLength(1);
  });

  it('loads pictures from this server and the tile origin, and forbids what it does not name', () => {
    expect(read('img-src')).toBe("img-src 'self' data: blob: https://tile.openstreetmap.org");
    expect(read('default-src')).toBe("default-src 'none'");
    expect(read('frame-ancestors')).toBe("frame-ancestors 'none'");
  });
});
