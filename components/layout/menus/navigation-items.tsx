import { Menu, Text } from '@mantine/core';
import {
  IconDeviceMobile,
  IconDeviceTv,
  IconHistory,
  IconKey,
  IconLogout,
  IconSettings,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { NearLink } from '@/components/ui/near-link';
import type { Destination, Destinations, MoreDestination, MoreHref } from '../destinations';
import { signOutAndLeave } from '../sign-out';
import { useViewer } from '../viewer-context';
import { ThemeItems } from './theme-items';

const MenuLink = ({ to }: { to: Destination }) => (
  <Menu.Item
    component={NearLink}
    href={to.href}
    prefetch={to.prefetch}
    onNavigate={to.onNavigate}
    leftSection={<to.Icon size={18} stroke={1.75} />}
    aria-current={to.isHere ? 'page' : undefined}
  >
    {to.label}
    {to.waiting === undefined ? null : `, ${to.waiting} open`}
  </Menu.Item>
);

const MORE_ICONS: Record<MoreHref, Destination['Icon']> = {
  '/users': IconUsers,
  '/audit': IconHistory,
  '/api-keys': IconKey,
  '/devices': IconDeviceMobile,
  '/screens': IconDeviceTv,
  '/settings': IconSettings,
  '/account': IconUserCircle,
};

export const MoreItems = ({ destinations }: { destinations: readonly MoreDestination[] }) =>
  destinations.map((to) => <MenuLink key={to.label} to={{ ...to, Icon: MORE_ICONS[to.href] }} />);

export const AccountItems = () => {
  const { kind, name, email } = useViewer();
  const [failure, setFailure] = useState<string | null>(null);
  return (
    <>
      <Menu.Label>Account</Menu.Label>
      <Text inherit px={12} pt={2} pb={8} style={{ overflowWrap: 'anywhere' }}>
        {kind === 'demo'
          ? 'The demo opens signed in, as a manager, because only this machine can reach this server.'
          : `${name}${email === null ? '' : `, ${email}`}`}
      </Text>
      {kind === 'user' ? (
        <Menu.Item
          leftSection={<IconLogout size={18} stroke={1.75} />}
          closeMenuOnClick={false}
          onClick={() => void signOutAndLeave().catch((error: Error) => setFailure(error.message))}
        >
          Sign out
        </Menu.Item>
      ) : null}
      {failure === null ? null : (
        <Text inherit px={12} py={6} c="var(--lh-silent-text)" role="alert">
          {failure}
        </Text>
      )}
    </>
  );
};

interface PhoneItemsProps {
  destinations: Destinations;
  fleets: ReactNode;
}

export const PhoneItems = ({ destinations: { main, more, help }, fleets }: PhoneItemsProps) => (
  <>
    {fleets}
    <Menu.Label>Pages</Menu.Label>
    {[...main, help].map((to) => (
      <MenuLink key={to.label} to={to} />
    ))}
    {more.length === 0 ? null : <Menu.Label>More</Menu.Label>}
    <MoreItems destinations={more} />
    <ThemeItems />
    <AccountItems />
  </>
);
