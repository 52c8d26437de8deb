import { IconMoon, IconSun } from '@tabler/icons-react';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';

const themeItems = onDemand(() => import('./theme-items').then(({ ThemeItems }) => ThemeItems));

export const ThemeSwitch = () => (
  <Popup
    kind="menu"
    width={190}
    preload={themeItems.preload}
    target={
      <BareButton className="lh-icon" aria-label="Theme and clock">
        {/* The style sheet shows the matching icon, so that nothing flashes before scripts run. */}
        <IconSun className="lh-light-only" size={20} stroke={1.75} />
        <IconMoon className="lh-dark-only" size={20} stroke={1.75} />
      </BareButton>
    }
  >
    <themeItems.Part />
  </Popup>
);
