'use client';

import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useHasOtherFleets, useUsdot } from '@/components/fleet-state/fleet-context';
import { useFleetList } from '@/lib/fleets/queries';
import { carrierWords } from '@/lib/view/carrier-text';
import styles from './fleet-items.module.css';

/** The fleets as items of a menu, the one on the screen marked: each opens the page of the other that is open of this one. */
export const FleetItems = () => {
  const usdot = useUsdot();
  const isRoster = usePathname() === `/fleets/${usdot}/roster`;
  const isWanted = useHasOtherFleets();
  const { data, error } = useFleetList(isWanted);
  if (!isWanted) return null;
  return (
    <>
      <Menu.Label>Fleets</Menu.Label>
      {data === undefined ? (
        <p className={styles.note} role="status">
          {error?.message ?? 'Loading the fleets…'}
        </p>
      ) : null}
      {data?.fleets.map((fleet) => {
        const { name, numbers } = carrierWords(fleet.usdot, fleet.account);
        const isHere = fleet.usdot === usdot;
        return (
          <Menu.Item
            key={fleet.usdot}
            component={Link}
            prefetch={false}
            href={`/fleets/${fleet.usdot}${isRoster ? '/roster' : ''}`}
            className={styles.item}
            aria-current={isHere ? 'page' : undefined}
            rightSection={isHere ? <IconCheck size={18} stroke={2} aria-hidden="true" /> : null}
          >
            <span className={styles.name}>{name}</span>
            {numbers === '' ? null : <span className={styles.numbers}>{numbers}</span>}
            {fleet.problem === null ? null : <span className={styles.problem}>{fleet.problem}</span>}
          </Menu.Item>
        );
      })}
    </>
  );
};
