import { Menu, Text } from '@mantine/core';
import {
  IconDeviceMobile,
  IconDeviceTv,
  IconHistory,
  IconKey,
  IconLogout,
  IconSettings,
  IconTruck,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { useState, type ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import {
  isManager,
  toDestinations,
  type Destination,
  type Destinations,
  type ServerPage,
} from '../destinations';
import { signOutAndLeave } from '../sign-out';
import { useViewer } from '../viewer-context';
import { ThemeItems } from './theme-items';

const MenuLink = ({ to }: { to: Destination }) => (
  <Menu.Item
    component={Link}
    href={to.href}
    prefetch={to.prefetch}
    onNavigate={to.onNavigate}
    leftSection={<to.Icon size={18} stroke={1.75} />}
    aria-current={to.isHere ? 'page' : undefined}
  >
    {to.label}
    {to.waiting === undefined ? null : `, ${to.waiting} waiting`}
  </Menu.Item>
);

/** Listed under More. Add a new page that belongs to no fleet here. */
const MORE_PAGES: readonly ServerPage[] = [
  { label: 'Users', href: '/users', Icon: IconUsers, isFor: isManager },
  { label: 'Audit log', href: '/audit', Icon: IconHistory, isFor: isManager },
  { label: 'API keys', href: '/api-keys', Icon: IconKey, isFor: isManager },
  {
    label: 'Devices',
    href: '/devices',
    Icon: IconDeviceMobile,
    isFor: isManager,
    subpage: '/refused-reports',
  },
  { label: 'Wall screens', href: '/screens', Icon: IconDeviceTv, isFor: isManager },
  { label: 'Settings', href: '/settings', Icon: IconSettings, isFor: isManager, subpage: '/fleet-source' },
  { label: 'Your account', href: '/account', Icon: IconUserCircle, isFor: ({ kind }) => kind === 'user' },
];

const useMoreDestinations = (): Destination[] => toDestinations(MORE_PAGES, useViewer(), usePathname());

export const MoreItems = () => useMoreDestinations().map((to) => <MenuLink key={to.label} to={to} />);

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
      {kind === 'demo' ? (
        <MenuLink
          to={{ label: 'Use your own trucks', href: '/fleet-source', Icon: IconTruck, isHere: false }}
        />
      ) : null}
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

export const PhoneItems = ({ destinations: { main, help }, fleets }: PhoneItemsProps) => {
  const more = useMoreDestinations();
  return (
    <>
      {fleets}
      <Menu.Label>Pages</Menu.Label>
      {[...main, help].map((to) => (
        <MenuLink key={to.label} to={to} />
      ))}
      {more.length === 0 ? null : <Menu.Label>More</Menu.Label>}
      {more.map((to) => (
        <MenuLink key={to.label} to={to} />
      ))}
      <ThemeItems />
      <AccountItems />
    </>
  );
};
