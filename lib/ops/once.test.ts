import { describe, expect, it, vi } from 'vitest';
import { once } from './once';

describe('once', () => {
  it('makes a value once, also for another copy of this module', async () => {
    const make = vi.fn(() => ({}));
    const first = once('test.shared', make);
    vi.resetModules();
    const copy = await import('./once');
    expect(copy.once).not.toBe(once);
    expect(copy.once('test.shared', make)).toBe(first);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('makes anew what could not be made', () => {
    const fail = () => {
      throw new Error('not yet');
    };
    expect(() => once('test.failing', fail)).toThrow('not yet');
    expect(once('test.failing', () => 7)).toBe(7);
  });
});
