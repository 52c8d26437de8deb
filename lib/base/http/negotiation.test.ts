import { describe, expect, it } from 'vitest';
import { chooseEncoding, isNoneMatchFailed } from './negotiation';

describe('chooseEncoding', () => {
  it.each([
    [null, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['identity, br;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['zstd', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['*;q=0', 'identity'],
  ])('answers %j in %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

it('chooses only from what is offered', () => {
  expect(chooseEncoding('br, gzip', ['gzip'])).toBe('gzip');
  expect(chooseEncoding('br', ['gzip'])).toBe('identity');
  expect(chooseEncoding('gzip;q=1, br;q=0.1')).toBe('gzip');
});

describe('isNoneMatchFailed', () => {
  it.each([
    [null, false],
    ['*', true],
    [' * ', true],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b","c"', false],
    ['a', false],
    ['"a', false],
    ['"x,"a"', false],
  ])('takes %j against "a" for %s', (header, expected) => {
    expect(isNoneMatchFailed(header, '"a"')).toBe(expected);
    expect(isNoneMatchFailed(header, 'W/"a"')).toBe(expected);
  });
});
