'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconDots, IconKeyboard, IconMenu2 } from '@tabler/icons-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountItems, AccountMenu } from './account-menu';
import { MENU } from '../ui/menu';
import styles from './navigation.module.css';
import type { Place, Places } from './destinations';
import { ThemeItems } from './theme-switch';

const RailLink = ({ place, className = '' }: { place: Place; className?: string }) => (
  <Link
    href={place.href}
    prefetch={false}
    className={`${styles.item} ${className}`}
    aria-current={place.isHere ? 'page' : undefined}
  >
    <place.Icon size={22} stroke={1.75} aria-hidden="true" />
    {place.words}
  </Link>
);

const MenuLink = ({ place }: { place: Place }) => (
  <Menu.Item
    component={Link}
    href={place.href}
    leftSection={<place.Icon size={18} stroke={1.75} />}
    aria-current={place.isHere ? 'page' : undefined}
  >
    {place.words}
  </Menu.Item>
);

const More = ({ places }: { places: readonly Place[] }) => (
  <Menu {...MENU} position="right-start" width={220}>
    <Menu.Target>
      <UnstyledButton className={styles.item} data-here={places.some(({ isHere }) => isHere)}>
        <IconDots size={22} stroke={1.75} aria-hidden="true" />
        More
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown>
      {places.map((place) => (
        <MenuLink key={place.href} place={place} />
      ))}
    </Menu.Dropdown>
  </Menu>
);

interface RailProps {
  places: Places;
  /** Shows the keys of the page; left out where it has none. */
  onKeys?: () => void;
}

/** The rail at the left: where one can go, and at its foot help, the keys and who is signed in. */
export const Rail = ({ places: { main, more, help }, onKeys }: RailProps) => (
  <nav className={styles.rail} aria-label="Pages">
    {main.map((place) => (
      <RailLink key={place.words} place={place} />
    ))}
    {more.length === 0 ? null : <More places={more} />}
    <RailLink place={help} className={styles.foot} />
    {onKeys === undefined ? null : (
      <UnstyledButton className={styles.item} onClick={onKeys} aria-keyshortcuts="?">
        <IconKeyboard size={22} stroke={1.75} aria-hidden="true" />
        Keys
      </UnstyledButton>
    )}
    <AccountMenu className={styles.item} />
  </nav>
);

interface PhoneMenuProps {
  places: Places;
  /** Items of the fleets that can be switched to, where there are any. */
  fleets?: ReactNode;
}

/** The same and the colours in a menu, where there is no room for a rail. */
export const PhoneMenu = ({ places: { main, more, help }, fleets }: PhoneMenuProps) => (
  // Its lines take the focus by Tab too: a list that scrolls has to be reached somehow.
  <Menu {...MENU} width={240} menuItemTabIndex={0}>
    <Menu.Target>
      <UnstyledButton className={styles.phoneMenu} aria-label="Menu">
        <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown className={styles.phoneItems}>
      {fleets}
      <Menu.Label>Pages</Menu.Label>
      {main.map((place) => (
        <MenuLink key={place.words} place={place} />
      ))}
      <MenuLink place={help} />
      {more.length === 0 ? null : <Menu.Label>More</Menu.Label>}
      {more.map((place) => (
        <MenuLink key={place.href} place={place} />
      ))}
      <ThemeItems />
      <AccountItems />
    </Menu.Dropdown>
  </Menu>
);
