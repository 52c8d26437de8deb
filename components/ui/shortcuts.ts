import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

/** Whether keys pressed here write text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** Menus and dialogs handle their keys themselves. */
export const OVERLAID = '[role="menu"], [role="dialog"]';

/** Whether an element is, or is inside, one that the selector matches. */
export const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** keyCode of a key that an input method has taken: Safari ends a composition before it reports its last key. */
const TAKEN_KEY_CODE = 229;

type Key = Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode'>;

/** Whether a key belongs to an input method, which is composing a character of it. */
const isComposing = (event: Key): boolean => event.isComposing || event.keyCode === TAKEN_KEY_CODE;

/** Whether a key pressed in a field is Enter, and not the one with which an input method takes what it has composed. */
export const isEnter = ({ nativeEvent: event }: { nativeEvent: Key }): boolean =>
  event.key === 'Enter' && !isComposing(event);

/** The key alone, which no element has handled yet. Shift only decides which key it is. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && !isComposing(event);

const always = (): boolean => true;

/** Runs single-key shortcuts, except while the user types, in a menu or dialog, and while `isOn` is false. */
export const useShortcuts = (
  shortcuts: Readonly<Record<string, (event: KeyboardEvent) => void>>,
  isOn: () => boolean = always,
): void => {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!isOn() || !isPlainKey(event) || isTyping(event.target) || isWithin(event.target, OVERLAID)) return;
    // Signs may need Shift, letters may not have it.
    const run = shortcuts[event.shiftKey ? event.key : event.key.toLowerCase()];
    if (run === undefined) return;
    event.preventDefault();
    run(event);
  });
  // With the elements that they act on: a plain effect may come some frames after these are seen.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
};

/** Calls back when Escape is pressed, while it is active; an element that has handled the key is left alone. */
export const useEscape = (isActive: boolean, onEscape: () => void): void => {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onEscape();
  });
  useEffect(() => {
    if (!isActive) return;
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);
};
