import { describe, expect, it } from 'vitest';
import { displaySchema, newWallScreenSchema, toScreenPath } from './schema';

const readUsdots = (usdots: unknown) => newWallScreenSchema.safeParse({ name: 'Yard', usdots }).data?.usdots;

describe('newWallScreenSchema', () => {
  it('normalizes USDOT numbers as for users: without leading zeros or duplicates', () => {
    expect(readUsdots(['09100001', '9100001', ' 12 '])).toEqual(['9100001', '12']);
    expect(readUsdots(null)).toBeNull();
  });

  it.each([[[]], [['0']], [['123456789']], [['12a']]])('refuses %j', (usdots) => {
    expect(readUsdots(usdots)).toBeUndefined();
  });
});

it('shows a screen as its query says, across a room where that says nothing', () => {
  expect(displaySchema.parse({ distance: 'hall', rotating: 'on' })).toEqual({
    distance: 'hall',
    isRotating: true,
  });
  for (const query of [{}, { distance: 'far', rotating: ['on'], other: '1' }])
    expect(displaySchema.parse(query)).toEqual({ distance: 'wall', isRotating: false });
});

it('names the page of a screen so that its query says the same again', () => {
  for (const display of [
    { distance: 'desk', isRotating: true },
    { distance: 'hall', isRotating: false },
  ] as const) {
    const { pathname, searchParams } = new URL(toScreenPath('9000001', display), 'http://localhost');
    expect(pathname).toBe('/screen/9000001');
    expect(displaySchema.parse(Object.fromEntries(searchParams))).toEqual(display);
  }
});
