import { IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';
import { carrierText } from '@/lib/view/text';
import { isDemoUsdot } from '@/lib/identity/carrier-numbers';
import { useCarrierAccount, useHasOtherFleets, useIsDemo, useUsdot } from '../fleet-state/fleet-context';
import { useOldCopy } from '../fleet-state/old-copy';
import { useShortcuts } from '../ui/shortcuts';
import styles from './fleet-switcher.module.css';

export const fleetItems = onDemand(() => import('./fleet-items').then(({ FleetItems }) => FleetItems));

export const FleetSwitcher = () => (useHasOtherFleets() ? <Switcher /> : <CarrierHeading />);

const Switcher = () => {
  const [isOpen, setOpen] = useState(false);

  useShortcuts({ g: () => setOpen(true) });
  return (
    <Popup
      kind="menu"
      position="bottom-start"
      width={320}
      isOpen={isOpen}
      onOpenChange={setOpen}
      // By default a key outside the menu closes it as well: the very key that opens it could.
      clickOutsideEvents={['mousedown', 'touchstart']}
      className={styles.dropdown}
      preload={fleetItems.preload}
      target={
        <BareButton className={`lh-flex ${styles.target}`} aria-keyshortcuts="g" title="Another fleet (g)">
          <CarrierHeading />
          <IconSelector
            size={18}
            stroke={1.75}
            style={{ flex: 'none', color: 'var(--lh-dim)' }}
            aria-hidden="true"
          />
          <span className="visually-hidden">, another fleet</span>
        </BareButton>
      }
    >
      <fleetItems.Part />
    </Popup>
  );
};

/** Whose fleet this is: the account's carrier by name, id and USDOT number. */
export const CarrierHeading = () => {
  const usdot = useUsdot();
  const old = useOldCopy();
  const isDemo = isDemoUsdot(usdot, useIsDemo());
  const { name, numbers } = carrierText(usdot, useCarrierAccount());
  return (
    <span className={styles.carrier}>
      <span className={`lh-flex ${styles.name}`}>
        <span className="lh-cut">{name}</span>
        {old === null ? null : <span className={styles.asOf}>As of {old.at}</span>}
        {isDemo ? <span className={`lh-small ${styles.mark}`}>Demo fleet</span> : null}
      </span>
      <span className={styles.numbers}>{numbers === '' ? ' ' : numbers}</span>
    </span>
  );
};
