import { describe, expect, it } from 'vitest';
import { ShapeError, flag, integer, list, nullable, number, object, oneOf, optional, text } from './shape';

const unit = object({
  name: text,
  isLive: flag,
  speed: nullable(number),
  status: oneOf(['moving', 'stopped']),
  planes: list(integer(0, 4), 2),
  note: optional(text),
});
const SOUND = { name: 'a', isLive: true, speed: null, status: 'moving', planes: [0, 4] };

describe('a shape', () => {
  it('accepts a value that fits, with properties that it does not name', () => {
    const sent = { ...SOUND, note: 'b', added: 1 };
    expect(unit.parse(sent)).toBe(sent);
    expect(unit.parse(SOUND).note).toBeUndefined();
  });

  it.each([
    null,
    [],
    'text',
    {},
    { ...SOUND, name: 1 },
    { ...SOUND, isLive: 'true' },
    { ...SOUND, speed: Number.NaN },
    { ...SOUND, speed: undefined },
    { ...SOUND, status: 'flying' },
    { ...SOUND, planes: [0] },
    { ...SOUND, planes: [0, 5] },
    { ...SOUND, planes: [0, 0.5] },
    { ...SOUND, planes: { 0: 0, 1: 1, length: 2 } },
    { ...SOUND, note: null },
  ])('rejects %j', (value) => {
    expect(() => unit.parse(value)).toThrow(ShapeError);
  });
});
