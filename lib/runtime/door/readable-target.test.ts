import { expect, it } from 'vitest';
import { toReadableTarget } from './readable-target';

it('leaves alone what can be decoded, and every query', () => {
  for (const target of ['/', '/fleets/9000001?q=50%', '/api/live/device%3APT%2F1', '/caf%C3%A9?a=%E0%A4%A?b'])
    expect(toReadableTarget(target)).toBe(target);
});

it('takes a path that cannot be decoded by its letters', () => {
  expect(toReadableTarget('/fleets/%E0%A4%A?q=%41?b')).toBe('/fleets/%25E0%25A4%25A?q=%41?b');
  expect(decodeURIComponent(toReadableTarget('/%zz/%41'))).toBe('/%zz/%41');
});
