import { describe, expect, it } from 'vitest';
import { parseJson, readBasic, readBody, readToken } from './request';

const nowhere = { path: undefined, authorization: undefined, query: undefined };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('readBody', () => {
  it.each([null, '100'])(
    'reports a connection that is lost meanwhile as one of the device (content-length %s)',
    async (length) => {
      const headers = length === null ? undefined : { 'content-length': length };
      const body = new ReadableStream({
        start: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      });
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
      const reading = readBody(new Request('http://service.test/', init));
      await expect(reading).rejects.toMatchObject({ name: 'ServiceProblem', code: 'incomplete_body' });
    },
  );
});

describe('parseJson', () => {
  it('reads NaN and Infinity, which Python prints, as null, those of C too, and leaves texts as they are', () => {
    const text = String.raw`{"a":NaN,"b":[-Infinity,1,-nan,inf],"NaN":"\"NaN, Infinity","c":"\\"}`;
    expect(parseJson(text)).toEqual({ a: null, b: [null, 1, null, null], NaN: '"NaN, Infinity', c: '\\' });
  });

  it.each(['NaNa', '1NaN', '{"a":"NaN', '{"a":"NaN\\', `NaN${'"\\'.repeat(500_000)}`])(
    'refuses what is no JSON otherwise, without delay: %.20s',
    (text) => expect(() => parseJson(text)).toThrow('body: expected JSON'),
  );
});

describe('readToken', () => {
  it('reads the token from each of its places', () => {
    expect(readToken({ ...nowhere, path: 'a' })).toBe('a');
    expect(readToken({ ...nowhere, authorization: 'Bearer b' })).toBe('b');
    expect(readToken({ ...nowhere, authorization: 'bearer  b ' })).toBe('b');
    expect(readToken({ ...nowhere, authorization: basic('truck-7:c:d') })).toBe('c:d');
    expect(readToken({ ...nowhere, query: 'e' })).toBe('e');
  });

  it('looks at the address first, then the header, then the query', () => {
    expect(readToken({ path: 'a', authorization: 'Bearer b', query: 'c' })).toBe('a');
    expect(readToken({ path: undefined, authorization: 'Bearer b', query: 'c' })).toBe('b');
  });

  it('gives null where there is no token', () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Digest x',
      basic('user:'),
      basic('user'),
    ])
      expect(readToken({ ...nowhere, authorization })).toBeNull();
  });
});

describe('readBasic', () => {
  it('splits at the first colon and keeps other alphabets', () => {
    expect(readBasic(basic('Lkw-Süd:päss:wort'))).toEqual({ user: 'Lkw-Süd', password: 'päss:wort' });
  });

  it('reads the token that Overland sends in the clear', () => {
    expect(readBasic('Basic lh_ingest_x:')).toEqual({ user: '', password: 'lh_ingest_x' });
  });

  it('gives null for what is not base64', () => {
    expect(readBasic('Basic %%%')).toBeNull();
  });
});
