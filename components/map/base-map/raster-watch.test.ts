import { describe, expect, it } from 'vitest';
import { RASTER_START, RETRY_AFTER_MS, isDetailMissing, toRasterState } from './raster-watch';
import type { RasterEvent } from './raster-watch';

const after = (events: RasterEvent[], nowMs = 1000) =>
  events.reduce((state, event) => toRasterState(state, event, nowMs), RASTER_START);

describe('toRasterState', () => {
  it('gives up after six failures in a row and says when to try again', () => {
    expect(after(Array<RasterEvent>(6).fill('failed'))).toEqual({
      kind: 'resting',
      retryAtMs: 1000 + RETRY_AFTER_MS,
    });
  });

  it('forgets failures once a tile has loaded', () => {
    const state = after(['failed', 'failed', 'failed', 'failed', 'failed', 'loaded', 'failed']);
    expect(state).toEqual({ kind: 'on', failures: 1, everLoaded: true });
    expect(isDetailMissing(state)).toBe(false);
  });

  it('stays at rest while stragglers of the last requests come in', () => {
    const resting = after(Array<RasterEvent>(6).fill('failed'));
    expect(toRasterState(resting, 'failed', 9000)).toBe(resting);
    expect(toRasterState(resting, 'loaded', 9000)).toBe(resting);
    expect(isDetailMissing(resting)).toBe(true);
  });

  it('starts over when it should try again', () => {
    const resting = after(Array<RasterEvent>(6).fill('failed'));
    expect(toRasterState(resting, 'retry', 90_000)).toEqual(RASTER_START);
  });
});
