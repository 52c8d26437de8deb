/** Whether a key press means the key alone, and nobody has made use of it yet. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey;

/** Whether keys pressed here write text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** What lies over the page, and has the keys that are pressed in it to itself. */
export const OVERLAID = '[role="menu"], [role="dialog"]';

/** Whether what has the keys is, or stands in, what a selector finds. */
export const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
