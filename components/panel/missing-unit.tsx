'use client';

import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import Link from 'next/link';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { parseVin } from '@/lib/identity/vin';
import { PANEL_HEADING_ID } from './unit-panel';
import styles from './unit-panel.module.css';

/** The unit that the address names is not in the fleet. */
export const MissingUnit = ({ unitKey, onClose }: { unitKey: string; onClose: () => void }) => {
  const base = `/fleets/${useUsdot()}`;
  const vin = parseVin(unitKey);
  return (
    <div className={styles.head} data-missing="true">
      <h2 id={PANEL_HEADING_ID} className={styles.title} tabIndex={-1}>
        No such unit here
      </h2>
      <UnstyledButton className={styles.close} aria-label="Close panel" onClick={onClose}>
        <IconX size={20} stroke={1.75} aria-hidden="true" />
      </UnstyledButton>
      <div className={styles.missing}>
        <p className="lh-code">{unitKey}</p>
        <p>
          The live fleet has no unit of this name. It may belong to another USDOT number, or it left before
          this server began to watch.
        </p>
        {useIsWallScreen() ? null : (
          <p>
            {vin === null ? null : (
              <>
                <Link href={`${base}/units/${vin}`} prefetch={false}>
                  Ask the provider for this VIN
                </Link>
                {' · '}
              </>
            )}
            <Link href={`${base}/roster`} prefetch={false}>
              See the roster
            </Link>
          </p>
        )}
      </div>
    </div>
  );
};
