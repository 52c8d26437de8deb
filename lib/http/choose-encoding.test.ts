import { describe, expect, it } from 'vitest';
import { chooseEncoding } from './choose-encoding';

describe('chooseEncoding', () => {
  it('prefers brotli to gzip to none, as the header allows', () => {
    const cases = {
      'gzip, deflate, br': 'br',
      'gzip, deflate': 'gzip',
      'br;q=0, gzip;q=0.5': 'gzip',
      'BR; q=1.0': 'br',
      '*': 'br',
      'br;q=0, *;q=0.1': 'gzip',
      'identity, *;q=0': 'identity',
      deflate: 'identity',
      '': 'identity',
    };
    for (const [header, encoding] of Object.entries(cases))
      expect(chooseEncoding(header), header).toBe(encoding);
    expect(chooseEncoding(null)).toBe('identity');
  });

  it('chooses only from what is offered', () => {
    expect(chooseEncoding('br, gzip', ['gzip'])).toBe('gzip');
    expect(chooseEncoding('br', ['gzip'])).toBe('identity');
  });
});
