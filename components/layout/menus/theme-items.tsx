import { Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { browserStore } from '@/lib/base/stored';
import { CLOCK_KEY, is24Hour } from '@/lib/view/format';

const SCHEME_LABELS: Record<MantineColorScheme, string> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
};

/** The times of a page agree because all are written after it is loaded. False where the choice cannot be stored. */
const switchClock = (): boolean => {
  const isStored = browserStore.set(CLOCK_KEY, is24Hour ? '12' : '24');
  if (isStored) window.location.reload();
  return isStored;
};

export const ThemeItems = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [isRefused, setRefused] = useState(false);
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
      <Menu.CheckboxItem
        checked={is24Hour}
        closeMenuOnClick={false}
        onChange={() => setRefused(!switchClock())}
      >
        24-hour clock
      </Menu.CheckboxItem>
      {isRefused ? (
        <Text inherit px={12} py={6} role="alert">
          This browser does not let Linehaul store the choice.
        </Text>
      ) : null}
    </>
  );
};
