import { expect, it } from 'vitest';
import { toReadableTarget } from './readable-target';

it('returns a target that can be decoded unchanged, with every query', () => {
  for (const target of ['/', '/fleets/9000001?q=50%', '/api/live/device%3APT%2F1', '/caf%C3%A9?a=%E0%A4%A?b'])
    expect(toReadableTarget(target)).toBe(target);
});

it('replaces every percent sign of a path that cannot be decoded, so that none of its escapes decodes', () => {
  expect(toReadableTarget('/fleets/%E0%A4%A?q=%41?b')).toBe(
    '/fleets/%EF%BF%BDE0%EF%BF%BDA4%EF%BF%BDA?q=%41?b',
  );
  expect(decodeURIComponent(decodeURIComponent(toReadableTarget('/%zz/%41')))).toBe('/\uFFFDzz/\uFFFD41');
});
