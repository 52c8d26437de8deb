import { useHotkeys } from '@mantine/hooks';

/** Whether keys pressed here write text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** Menus and dialogs handle their keys themselves. */
export const OVERLAID = '[role="menu"], [role="dialog"]';

/** Whether an element is, or is inside, one that the selector matches. */
export const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Runs the single-key shortcuts of a page, except while the user types or is in a menu or dialog. */
export const useShortcuts = (shortcuts: Readonly<Record<string, (event: KeyboardEvent) => void>>): void =>
  useHotkeys(
    Object.entries(shortcuts).map(([key, run]) => [
      key,
      (event) => {
        if (event.defaultPrevented || isWithin(event.target, OVERLAID)) return;
        event.preventDefault();
        run(event);
      },
      { preventDefault: false },
    ]),
  );
