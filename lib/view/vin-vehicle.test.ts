import { describe, expect, it } from 'vitest';
import { vinVehicleWords } from './vin-vehicle';

const NOW_MS = Date.parse('2026-06-01T00:00:00Z');

describe('vinVehicleWords', () => {
  it('gives both years that the VIN of a heavy truck may encode', () => {
    expect(vinVehicleWords('1FUJGLDR0NLM12041', NOW_MS)).toBe('1992 or 2022 Freightliner');
  });

  it('leaves out a model year that has not begun', () => {
    expect(vinVehicleWords('1XKYD49X8KJ900001', Date.parse('2015-06-01T00:00:00Z'))).toBe('1989 Kenworth');
  });

  it('is null for a VIN that fails its own check digit', () => {
    expect(vinVehicleWords('1FUJGLDR1NLM12041', NOW_MS)).toBeNull();
  });
});
