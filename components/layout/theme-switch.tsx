'use client';

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { MENU } from '../ui/menu';

const SCHEME_LABELS: Record<MantineColorScheme, string> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
};

/** The themes as items of a menu. */
export const ThemeItems = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      >
        {Object.entries(SCHEME_LABELS).map(([scheme, words]) => (
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
      <ActionIcon variant="subtle" color="gray" size={36} aria-label="Theme">
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
