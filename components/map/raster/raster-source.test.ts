import { describe, expect, it } from 'vitest';
import { RASTER_START, RETRY_AFTER_MS, toRasterState, toRasterView, type RasterEvent } from './raster-source';

const after = (events: RasterEvent[], nowMs = 1000) =>
  events.reduce((state, event) => toRasterState(state, event, nowMs), RASTER_START);
const failed = (times: number) => Array<RasterEvent>(times).fill('failed');
const resting = after(['failed']);

describe('toRasterState', () => {
  it('pauses after the one tile of a probe has failed, and returns when to try again', () => {
    expect(resting).toEqual({ kind: 'resting', retryAtMs: 1000 + RETRY_AFTER_MS });
  });

  it('requests the tiles of the view once the probe has loaded', () => {
    expect(after(['loaded'])).toEqual({ kind: 'on', failures: 0 });
  });

  it('pauses after six failures in a row', () => {
    expect(after(['loaded', ...failed(5)])).toEqual({ kind: 'on', failures: 5 });
    expect(after(['loaded', ...failed(6)]).kind).toBe('resting');
  });

  it('forgets failures once a tile has loaded', () => {
    expect(after(['loaded', ...failed(5), 'loaded', 'failed'])).toEqual({ kind: 'on', failures: 1 });
  });

  it('stays paused while late answers of the last requests arrive', () => {
    expect(toRasterState(resting, 'failed', 9000)).toBe(resting);
    expect(toRasterState(resting, 'loaded', 9000)).toBe(resting);
  });

  it('probes again when it should, and only after a pause', () => {
    expect(toRasterState(resting, 'retry', 90_000)).toEqual({ kind: 'probing', isRetry: true });
    const on = after(['loaded']);
    expect(toRasterState(on, 'retry', 90_000)).toBe(on);
  });
});

describe('toRasterView', () => {
  it('shows nothing before the first probe, and keeps the notice during the next', () => {
    expect(toRasterView(RASTER_START)).toBe('none');
    expect(toRasterView(resting)).toBe('missing');
    expect(toRasterView(after(['failed', 'retry']))).toBe('missing');
  });

  it('reports missing tiles after three failures in a row', () => {
    expect(toRasterView(after(['loaded', ...failed(2)]))).toBe('shown');
    expect(toRasterView(after(['loaded', ...failed(3)]))).toBe('missing');
  });
});
