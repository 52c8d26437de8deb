import { Box, Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { usePathname } from 'next/navigation';
import { useFleetList } from '@/lib/fleets/queries';
import { carrierText } from '@/lib/view/text';
import { useHasOtherFleets, useUsdot } from '../fleet-state/fleet-context';
import styles from './fleet-switcher.module.css';

/** Pages that every fleet has. */
const KEPT_PAGES = ['/loads', '/links', '/proof', '/roster', '/history', '/sites', '/alerts', '/handover'];

/** The fleets as items of a menu, the one on the screen marked: each opens the page of the other that is open of this one. */
export const FleetItems = () => {
  const usdot = useUsdot();
  const path = usePathname();
  const page = KEPT_PAGES.find((each) => path === `/fleets/${usdot}${each}`) ?? '';
  const isWanted = useHasOtherFleets();
  const { data, error } = useFleetList(isWanted);
  if (!isWanted) return null;
  return (
    <>
      <Menu.Label>Fleets</Menu.Label>
      {data === undefined ? (
        <Box component="p" px={12} pt={6} pb={10} c="var(--lh-dim)" role="status">
          {error?.message ?? 'Loading the fleets…'}
        </Box>
      ) : null}
      {data?.fleets.map((fleet) => {
        const { name, numbers } = carrierText(fleet.usdot, fleet.account);
        const isHere = fleet.usdot === usdot;
        return (
          <Menu.Item
            key={fleet.usdot}
            component={Link}
            prefetch={false}
            href={`/fleets/${fleet.usdot}${page}`}
            className={styles.item}
            aria-current={isHere ? 'page' : undefined}
            rightSection={isHere ? <IconCheck size={18} stroke={2} aria-hidden="true" /> : null}
          >
            <span className={styles.itemName}>{name}</span>
            {numbers === '' ? null : <span className={styles.numbers}>{numbers}</span>}
            {fleet.problem === null ? null : <span className={styles.problem}>{fleet.problem}</span>}
          </Menu.Item>
        );
      })}
    </>
  );
};
