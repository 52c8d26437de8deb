import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toNextPath } from './next-path';

const HERE = 'https://fleet.example';
const RUNS = { numRuns: 1000 };

describe('toNextPath', () => {
  it('keeps a path of this server with its query', () => {
    for (const path of [
      '/',
      '/fleets/9000001',
      '/fleets/9000001?unit=1M8GDM9AXKP042788&q=a%20b',
      '/help#late',
    ])
      expect(toNextPath(path)).toBe(path);
  });

  it('returns "/" for a text that leads elsewhere', () => {
    for (const text of [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'evil.example',
      '/\t/evil.example',
      '/\n//evil.example',
      '/..//evil.example',
      '/.//evil.example',
      '/fleets/../..//evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'https:evil.example',
      'https:/evil.example',
      '///evil.example',
      '/\\/evil.example',
      '/\r/evil.example',
      '\u0001//evil.example',
      '\u0000/evil.example',
      '',
      ' /fleets',
      '/'.repeat(3000),
      null,
      undefined,
    ])
      expect(toNextPath(text), JSON.stringify(text)).toBe('/');
  });

  it('never sends a browser to another site', () => {
    const nasty = fc
      .array(fc.constantFrom('/', '\\', '.', '..', ':', '@', '\t', '%2f', 'evil.example', '?', '#'))
      .map((parts) => `/${parts.join('')}`);
    fc.assert(
      fc.property(nasty, (text) => new URL(toNextPath(text), HERE).origin === HERE),
      RUNS,
    );
  });
});
