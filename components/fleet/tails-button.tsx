import { Menu } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { Popup } from '@/components/ui/popup/popup';
import { TAIL_MINUTES } from '@/lib/view/view-state';

const OFF = 'off';

/** "10 min", "4 h". */
const spanText = (minutes: number): string => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`);

/** Chooses how far back the tails of all units in view reach. */
export const TailsButton = () => {
  const { tails } = useView();
  const { showTails } = useViewActions();
  return (
    <Popup
      kind="menu"
      width={180}
      position="right-start"
      target={
        <button
          type="button"
          title="Tails: where trucks went"
          aria-label={tails === null ? 'Tails' : `Tails of ${spanText(tails)}`}
          data-on={tails !== null || undefined}
        >
          <IconRoute size={18} stroke={1.8} aria-hidden />
        </button>
      }
    >
      <Menu.Label>Tails of all trucks in view</Menu.Label>
      <Menu.RadioGroup
        value={String(tails ?? OFF)}
        onChange={(chosen) => showTails(TAIL_MINUTES.find((minutes) => String(minutes) === chosen) ?? null)}
      >
        <Menu.RadioItem value={OFF} closeMenuOnClick>
          Off
        </Menu.RadioItem>
        {TAIL_MINUTES.map((minutes) => (
          <Menu.RadioItem key={minutes} value={String(minutes)} closeMenuOnClick>
            {spanText(minutes)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Popup>
  );
};
