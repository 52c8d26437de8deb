import {
  createTheme,
  defaultVariantColorsResolver,
  type MenuProps,
  type VariantColorsResolver,
} from '@mantine/core';

/** The localStorage key of the chosen theme. */
export const COLOR_SCHEME_KEY = 'linehaul-color-scheme';

/** Mantine writes white on whatever is filled; our accent is too bright for that in the dark. */
const resolveVariantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = (input.color ?? input.theme.primaryColor) === input.theme.primaryColor;
  return input.variant === 'filled' && isAccent ? { ...colors, color: 'var(--lh-on-accent)' } : colors;
};

/** The theme that Mantine's components read in script; their colors, fonts and sizes are in app/theme.css. */
export const mantineTheme = createTheme({
  variantColorResolver: resolveVariantColors,
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    // Almost every field is required, so an asterisk at each carries no information.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // The arrows of a select, of which screen readers would say "image" beside each.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    // Within its landmark for screen readers, and over whatever would cut it off.
    Combobox: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    // The same, and no higher than the room on a phone.
    Menu: {
      defaultProps: {
        position: 'bottom-end',
        withinPortal: false,
        floatingStrategy: 'fixed',
        withInitialFocusPlaceholder: false,
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
      } satisfies Partial<MenuProps>,
      styles: { dropdown: { overflowY: 'auto' } },
    },
  },
});

/** A button in a row of tools. */
export const SMALL_BUTTON = { h: 36, px: 12, fz: 13 } as const;
