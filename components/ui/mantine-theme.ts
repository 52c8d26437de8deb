import { createTheme, defaultVariantColorsResolver } from '@mantine/core';
import type {
  CSSVariablesResolver,
  MantineColorsTuple,
  MenuProps,
  VariantColorsResolver,
} from '@mantine/core';

/** The localStorage key of the chosen theme. */
export const COLOR_SCHEME_KEY = 'linehaul-color-scheme';

/** The accent in ten steps, as Mantine requires; the visible colors are mapped to --lh-accent below. */
const accent: MantineColorsTuple = [
  '#e8f1fa',
  '#cfe1f3',
  '#a3c8ea',
  '#74ade0',
  '#4c9be8',
  '#2f83cf',
  '#2274bd',
  '#1864ab',
  '#145691',
  '#0f4576',
];

/** Mantine writes white on whatever is filled; our accent is too bright for that in the dark. */
const resolveVariantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = (input.color ?? input.theme.primaryColor) === input.theme.primaryColor;
  return input.variant === 'filled' && isAccent ? { ...colors, color: 'var(--lh-on-accent)' } : colors;
};

export const mantineTheme = createTheme({
  primaryColor: 'accent',
  colors: { accent },
  variantColorResolver: resolveVariantColors,
  fontFamily: 'var(--lh-font)',
  fontFamilyMonospace: 'var(--lh-mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Almost every field is required, so an asterisk at each carries no information.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // The arrows of a select, of which screen readers would say "image" beside each.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    // Within its landmark for screen readers, over whatever would cut it off, and no higher than the room on a phone.
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

/** Mantine's variables in terms of ours, so that app/theme.css alone decides both schemes. */
export const toMantineVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--lh-surface)',
    '--mantine-color-text': 'var(--lh-text)',
    '--mantine-color-dimmed': 'var(--lh-dim)',
    '--mantine-color-placeholder': 'var(--lh-dim)',
    '--mantine-color-anchor': 'var(--lh-accent-text)',
    '--mantine-color-error': 'var(--lh-silent-text)',
    '--mantine-color-default': 'var(--lh-surface)',
    '--mantine-color-default-hover': 'var(--lh-hover)',
    '--mantine-color-default-color': 'var(--lh-text)',
    '--mantine-color-default-border': 'var(--lh-line)',
    '--mantine-primary-color-filled': 'var(--lh-accent)',
    '--mantine-primary-color-filled-hover': 'var(--lh-accent-hover)',
    '--mantine-primary-color-contrast': 'var(--lh-on-accent)',
    '--mantine-primary-color-light': 'var(--lh-selected)',
    '--mantine-primary-color-light-hover': 'var(--lh-selected)',
    '--mantine-primary-color-light-color': 'var(--lh-accent-text)',
    '--mantine-color-accent-filled': 'var(--lh-accent)',
    '--mantine-color-accent-filled-hover': 'var(--lh-accent-hover)',
  };
  return { variables: {}, light: shared, dark: shared };
};
