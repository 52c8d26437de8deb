import { expect, it } from 'vitest';
import { isEnter, isPlainKey } from './shortcuts';

const press = (change: object) =>
  ({ key: 'Enter', isComposing: false, keyCode: 13, defaultPrevented: false, ...change }) as KeyboardEvent;

it.each([
  ['Enter', {}, true],
  ['another key', { key: 'a', keyCode: 65 }, false],
  ['the Enter of an input method', { isComposing: true, keyCode: 229 }, false],
  ['the same in Safari, which has ended the composition by then', { keyCode: 229 }, false],
])('a field acts on %s: %j', (_, change, isOurs) => {
  expect(isEnter({ nativeEvent: press(change) })).toBe(isOurs);
});

it('no shortcut takes a key of an input method', () => {
  expect(isPlainKey(press({}))).toBe(true);
  expect(isPlainKey(press({ isComposing: true }))).toBe(false);
  expect(isPlainKey(press({ keyCode: 229 }))).toBe(false);
});
