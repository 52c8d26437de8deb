import type { MenuProps } from '@mantine/core';

/**
 * How every menu opens: within its landmark, for those who listen, over whatever would cut it off, and no longer than
 * there is room, so that its last line can be reached on a phone.
 */
export const MENU: Partial<MenuProps> = {
  position: 'bottom-end',
  withinPortal: false,
  floatingStrategy: 'fixed',
  withInitialFocusPlaceholder: false,
  middlewares: { flip: true, shift: true, size: { padding: 8 } },
  styles: { dropdown: { overflowY: 'auto' } },
};
