import { useEffect } from 'react';
import type { RefObject } from 'react';

/**
 * When a form was refused, the focus goes to the first field with something wrong; without one it goes back to the
 * button, which has lost it while it could not be pressed.
 */
export const useFocusWhenRefused = (form: RefObject<HTMLFormElement | null>, isRefused: boolean): void => {
  useEffect(() => {
    if (!isRefused) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [form, isRefused]);
};
