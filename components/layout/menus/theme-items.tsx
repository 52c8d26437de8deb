import { Menu, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { CLOCK_KEY, is24Hour } from '@/lib/view/format';

const SCHEME_LABELS: Record<MantineColorScheme, string> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
};

/** The times of a page agree because all are written after it is loaded. */
const switchClock = (): void => {
  window.localStorage.setItem(CLOCK_KEY, is24Hour ? '12' : '24');
  window.location.reload();
};

/** The themes and the clock as items of a menu. */
export const ThemeItems = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      >
        {Object.entries(SCHEME_LABELS).map(([scheme, label]) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.CheckboxItem checked={is24Hour} onChange={switchClock}>
        24-hour clock
      </Menu.CheckboxItem>
    </>
  );
};
