import { Menu } from '@mantine/core';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { tailSpanText } from '@/lib/view/text';
import { TAIL_MINUTES } from '@/lib/view/view-state';

const OFF = 'off';

export const TailsItems = () => {
  const { tails } = useView();
  const { showTails } = useViewActions();
  return (
    <>
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
            {tailSpanText(minutes)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
};
