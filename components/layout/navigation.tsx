'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconDots, IconKeyboard, IconMenu2 } from '@tabler/icons-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountItems, AccountMenu } from './account-menu';
import { MENU } from '../ui/menu';
import styles from './navigation.module.css';
import type { Destination, Destinations } from './destinations';
import { ThemeItems } from './theme-switch';

const RailLink = ({ to, className = '' }: { to: Destination; className?: string }) => (
  <Link
    href={to.href}
    prefetch={false}
    className={`${styles.item} ${className}`}
    aria-current={to.isHere ? 'page' : undefined}
  >
    <to.Icon size={22} stroke={1.75} aria-hidden="true" />
    {to.label}
  </Link>
);

const MenuLink = ({ to }: { to: Destination }) => (
  <Menu.Item
    component={Link}
    href={to.href}
    leftSection={<to.Icon size={18} stroke={1.75} />}
    aria-current={to.isHere ? 'page' : undefined}
  >
    {to.label}
  </Menu.Item>
);

const More = ({ destinations }: { destinations: readonly Destination[] }) => (
  <Menu {...MENU} position="right-start" width={220}>
    <Menu.Target>
      <UnstyledButton className={styles.item} data-here={destinations.some(({ isHere }) => isHere)}>
        <IconDots size={22} stroke={1.75} aria-hidden="true" />
        More
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown>
      {destinations.map((to) => (
        <MenuLink key={to.href} to={to} />
      ))}
    </Menu.Dropdown>
  </Menu>
);

interface RailProps {
  destinations: Destinations;
  /** Opens the list of shortcuts; undefined on a page that has none. */
  onShortcuts?: () => void;
}

/** The rail at the left: links to pages, then help, shortcuts and the account menu. */
export const Rail = ({ destinations: { main, more, help }, onShortcuts }: RailProps) => (
  <nav className={styles.rail} aria-label="Pages">
    {main.map((to) => (
      <RailLink key={to.label} to={to} />
    ))}
    {more.length === 0 ? null : <More destinations={more} />}
    <RailLink to={help} className={styles.foot} />
    {onShortcuts === undefined ? null : (
      <UnstyledButton className={styles.item} onClick={onShortcuts} aria-keyshortcuts="?">
        <IconKeyboard size={22} stroke={1.75} aria-hidden="true" />
        Shortcuts
      </UnstyledButton>
    )}
    <AccountMenu className={styles.item} />
  </nav>
);

interface PhoneMenuProps {
  destinations: Destinations;
  /** Menu items for switching fleets. */
  fleets?: ReactNode;
}

/** The rail's links, the theme and the account in one menu, for a phone. */
export const PhoneMenu = ({ destinations: { main, more, help }, fleets }: PhoneMenuProps) => (
  // Items are in the tab order, because a scrolling menu must be reachable by keyboard.
  <Menu {...MENU} width={240} menuItemTabIndex={0}>
    <Menu.Target>
      <UnstyledButton className={styles.phoneMenu} aria-label="Menu">
        <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown className={styles.phoneItems}>
      {fleets}
      <Menu.Label>Pages</Menu.Label>
      {main.map((to) => (
        <MenuLink key={to.label} to={to} />
      ))}
      <MenuLink to={help} />
      {more.length === 0 ? null : <Menu.Label>More</Menu.Label>}
      {more.map((to) => (
        <MenuLink key={to.href} to={to} />
      ))}
      <ThemeItems />
      <AccountItems />
    </Menu.Dropdown>
  </Menu>
);
