/** Whether keys pressed here write text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** Menus and dialogs handle their keys themselves. */
export const OVERLAID = '[role="menu"], [role="dialog"]';

/** Whether an element is, or is inside, one that the selector matches. */
export const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
