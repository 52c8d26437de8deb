import { expect, type Locator } from '@playwright/test';

/**
 * Presses the button of a dialog, and waits until the dialog has the focus: it takes it a moment after it opens, and what
 * is being typed then goes to another of its fields.
 */
export const openDialog = async (button: Locator): Promise<void> => {
  await button.click();
  await expect(button.page().getByRole('dialog').locator(':focus')).toBeVisible();
};
