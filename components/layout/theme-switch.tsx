'use client';

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { MENU } from '../ui/menu';

const SCHEME_WORDS: Record<MantineColorScheme, string> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'As the system',
};

/** The three schemes as items of a menu; the chosen one is remembered. */
export const ThemeItems = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      >
        {Object.entries(SCHEME_WORDS).map(([scheme, words]) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {words}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
};

export const ThemeSwitch = () => (
  <Menu {...MENU} width={190}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label="Colours">
        {/* The style sheet shows the one that fits, so that nothing flashes before scripts run. */}
        <IconSun className="lh-light-only" size={20} stroke={1.75} />
        <IconMoon className="lh-dark-only" size={20} stroke={1.75} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <ThemeItems />
    </Menu.Dropdown>
  </Menu>
);
