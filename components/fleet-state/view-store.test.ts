import { describe, expect, it } from 'vitest';
import { createViewStore } from './view-store';

const DALLAS = { lat: 32.78, lng: -96.8, zoom: 9 };

describe('the view that components read', () => {
  it('is the same object for as long as only the map or a played moment moves', () => {
    const store = createViewStore();
    const chosen = store.readChosen();
    store.change({ camera: DALLAS, past: { atMs: 1000, speed: 60 } }, 'quiet');
    expect(store.readChosen()).toBe(chosen);
    expect(store.read().camera).toEqual(DALLAS);
  });

  it.each([
    ['a search', { query: '412' }],
    ['a selection', { unit: 'VIN1' }],
    ['a status', { statuses: ['late'] as const }],
    ['an order', { sort: 'newest' as const }],
    ['the flags', { flagged: true }],
    ['one flag', { flags: ['badVin'] as const }],
    ['a kind of silence', { reasons: ['neverSeen'] as const }],
    ['what is in view', { inView: true }],
  ])('is another with %s, whether or not the map moved too', (_, patch) => {
    const store = createViewStore();
    const before = store.readChosen();
    store.change({ ...patch, camera: DALLAS }, 'step');
    expect(store.readChosen()).not.toBe(before);
    expect(store.readChosen()).toMatchObject(patch);
  });

  it('comes from an address as a whole', () => {
    const store = createViewStore();
    store.adopt({ ...store.read(), query: 'TX' });
    expect(store.readChosen().query).toBe('TX');
  });
});
