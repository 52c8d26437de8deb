import { describe, expect, it } from 'vitest';
import { toPick } from './pick';

const hit = (rows: number[]) => ({ rows, x: 10, y: 10 });

describe('toPick', () => {
  it('selects a unit that stands alone', () => {
    expect(toPick(hit([7]), [35, -101, 35, -101])).toEqual({ kind: 'unit', row: 7 });
  });

  it('zooms to units that zooming can show apart', () => {
    const bounds: [number, number, number, number] = [35, -101, 35.01, -100.99];
    expect(toPick(hit([7, 8]), bounds)).toEqual({ kind: 'zoom', bounds });
  });

  it('lists units that stand in one yard', () => {
    expect(toPick(hit([7, 8]), [35, -101, 35.0003, -101]).kind).toBe('list');
    expect(toPick(hit([7, 8]), [35, -101, 35, -101]).kind).toBe('list');
  });

  it('takes a click on nothing for the ground', () => {
    expect(toPick(null, null)).toEqual({ kind: 'ground' });
  });
});
