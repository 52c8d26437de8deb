import { IconArrowLeft } from '@tabler/icons-react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Link } from '@/components/ui/link';
import styles from './loads.module.css';

export const BackToLoads = () => (
  <Link className={`lh-link lh-flex ${styles.back}`} href={`/fleets/${useUsdot()}/loads`}>
    <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
    Loads
  </Link>
);
