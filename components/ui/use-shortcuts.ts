import { useHotkeys } from '@mantine/hooks';
import { OVERLAID, isWithin } from './keys';

/** Runs what a key alone means on a page: not while the user types, nor in a menu or a dialog. */
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
