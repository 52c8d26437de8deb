'use client';

import { ActionIcon } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';

const themeItems = onDemand(() => import('./theme-items').then(({ ThemeItems }) => ThemeItems));

export const ThemeSwitch = () => (
  <Popup
    kind="menu"
    width={190}
    preload={themeItems.preload}
    target={
      <ActionIcon variant="subtle" color="gray" size={36} aria-label="Theme">
        {/* The style sheet shows the matching icon, so that nothing flashes before scripts run. */}
        <IconSun className="lh-light-only" size={20} stroke={1.75} />
        <IconMoon className="lh-dark-only" size={20} stroke={1.75} />
      </ActionIcon>
    }
  >
    <themeItems.Part />
  </Popup>
);
