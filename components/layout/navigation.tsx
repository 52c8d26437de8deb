import { IconDots, IconKeyboard, IconMenu2, IconUserCircle } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Link } from '@/components/ui/link';
import { Popup } from '@/components/ui/popup/popup';
import styles from './navigation.module.css';
import type { Destination, Destinations } from './destinations';
import { useViewer } from './viewer-context';

const moreItems = onDemand(() => import('./menus/navigation-items').then(({ MoreItems }) => MoreItems));
const accountItems = onDemand(() =>
  import('./menus/navigation-items').then(({ AccountItems }) => AccountItems),
);
const phoneItems = onDemand(() => import('./menus/navigation-items').then(({ PhoneItems }) => PhoneItems));

const RailLink = ({ to, className = '' }: { to: Destination; className?: string }) => (
  <Link
    href={to.href}
    prefetch={to.prefetch}
    onNavigate={to.onNavigate}
    className={`lh-hover ${styles.item} ${className}`}
    aria-current={to.isHere ? 'page' : undefined}
  >
    <to.Icon size={22} stroke={1.75} aria-hidden="true" />
    {to.label}
    {to.waiting === undefined ? null : <Waiting badge={to.waiting} />}
  </Link>
);

const Waiting = ({ badge }: { badge: string }) => (
  <span className={styles.waiting}>
    <span className="visually-hidden">, </span>
    {badge}
    <span className="visually-hidden"> waiting</span>
  </span>
);

const More = ({ isHere }: { isHere: boolean }) => (
  <Popup
    kind="menu"
    position="right-start"
    width={220}
    preload={moreItems.preload}
    target={
      <BareButton className={`lh-hover ${styles.item}`} data-here={isHere}>
        <IconDots size={22} stroke={1.75} aria-hidden="true" />
        More
      </BareButton>
    }
  >
    <moreItems.Part />
  </Popup>
);

const AccountMenu = ({ className }: { className: string | undefined }) => {
  const { kind, name } = useViewer();
  return (
    <Popup
      kind="menu"
      position="right-end"
      width={240}
      preload={accountItems.preload}
      target={
        <BareButton className={className} aria-label={`Account: ${name}`}>
          <IconUserCircle size={22} stroke={1.75} aria-hidden="true" />
          <span className={`lh-cut ${styles.name}`}>{kind === 'demo' ? 'Demo' : name.split(' ', 1)[0]}</span>
        </BareButton>
      }
    >
      <accountItems.Part />
    </Popup>
  );
};

interface RailProps {
  destinations: Destinations;
  /** Opens the list of shortcuts; undefined on a page that has none. */
  onShortcuts?: () => void;
}

export const Rail = ({ destinations: { main, help }, onShortcuts }: RailProps) => {
  const { role, kind } = useViewer();
  const isMore = !usePathname().startsWith('/fleets/') && ![...main, help].some(({ isHere }) => isHere);
  return (
    <nav className={styles.rail} aria-label="Pages">
      {main.map((to) => (
        <RailLink key={to.label} to={to} />
      ))}
      {role === 'manager' || kind === 'user' ? <More isHere={isMore} /> : null}
      <RailLink to={help} className={styles.foot} />
      {onShortcuts === undefined ? null : (
        <BareButton className={`lh-hover ${styles.item}`} onClick={onShortcuts} aria-keyshortcuts="?">
          <IconKeyboard size={22} stroke={1.75} aria-hidden="true" />
          Shortcuts
        </BareButton>
      )}
      <AccountMenu className={`lh-hover ${styles.item}`} />
    </nav>
  );
};

export const PhoneMenu = ({ destinations, fleets }: { destinations: Destinations; fleets?: ReactNode }) => (
  <Popup
    kind="menu"
    width={240}
    // Items are in the tab order, because a scrolling menu must be reachable by keyboard.
    menuItemTabIndex={0}
    preload={phoneItems.preload}
    target={
      <BareButton className={`lh-icon ${styles.phoneMenu}`} aria-label="Menu">
        <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
      </BareButton>
    }
  >
    <phoneItems.Part destinations={destinations} fleets={fleets} />
  </Popup>
);
