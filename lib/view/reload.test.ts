import { describe, expect, it } from 'vitest';
import { isQuietMoment } from './quiet-moment';
import { isMissingPart } from './reload';

const QUIET = { isHidden: false, isBlind: false, isHolding: false, isTyping: false, idleMs: 5 * 60_000 };

describe('a quiet moment', () => {
  it('is one at which the page was not touched for minutes, or is hidden', () => {
    expect(isQuietMoment(QUIET)).toBe(true);
    expect(isQuietMoment({ ...QUIET, idleMs: 4 * 60_000 })).toBe(false);
    expect(isQuietMoment({ ...QUIET, isHidden: true, idleMs: 10_000 })).toBe(true);
    expect(isQuietMoment({ ...QUIET, isHidden: true, idleMs: 9000 })).toBe(false);
    expect(isQuietMoment({ ...QUIET, isBlind: true, idleMs: 10_000 })).toBe(true);
    expect(isQuietMoment({ ...QUIET, isBlind: true, idleMs: 9000 })).toBe(false);
  });

  it('is none while unsaved state would be lost', () => {
    expect(isQuietMoment({ ...QUIET, isTyping: true })).toBe(false);
    expect(isQuietMoment({ ...QUIET, isHidden: true, isHolding: true })).toBe(false);
  });
});

describe('a missing part of the page', () => {
  it.each([
    { name: 'ChunkLoadError', message: 'Failed to load chunk /_next/static/chunks/1.js from module 2' },
    { name: 'Error', message: 'Loading chunk 7 failed.' },
    { name: 'TypeError', message: 'Failed to fetch dynamically imported module: http://h/x.js' },
    { name: 'TypeError', message: 'Importing a module script failed.' },
  ])('is recognized by $message', (error) => expect(isMissingPart(error)).toBe(true));

  it('is not recognized in errors of the page itself', () => {
    expect(isMissingPart(new TypeError("Cannot read properties of null (reading 'rows')"))).toBe(false);
  });
});
