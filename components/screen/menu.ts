import type { MenuProps } from '@mantine/core';

/** How every menu opens: within its landmark, for those who listen, and over whatever would cut it off. */
export const MENU: Partial<MenuProps> = {
  position: 'bottom-end',
  withinPortal: false,
  floatingStrategy: 'fixed',
  withInitialFocusPlaceholder: false,
};
