import { IconRoute } from '@tabler/icons-react';
import { useView } from '@/components/fleet-state/fleet-context';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';
import { tailSpanText } from '@/lib/view/text';

const tailsItems = onDemand(() => import('./tails-items').then(({ TailsItems }) => TailsItems));

/** Chooses how far back the tails of all units in view reach. */
export const TailsButton = () => {
  const { tails } = useView();
  return (
    <Popup
      kind="menu"
      width={180}
      position="right-start"
      preload={tailsItems.preload}
      target={
        <button
          type="button"
          title="Tails: where trucks went"
          aria-label={tails === null ? 'Tails' : `Tails of ${tailSpanText(tails)}`}
          data-on={tails !== null || undefined}
        >
          <IconRoute size={18} stroke={1.8} aria-hidden />
        </button>
      }
    >
      <tailsItems.Part />
    </Popup>
  );
};
