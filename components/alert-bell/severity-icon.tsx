import { IconAlertOctagonFilled, IconAlertTriangleFilled, IconInfoCircleFilled } from '@tabler/icons-react';
import { SEVERITY_LABELS } from '@/lib/alerts/text';
import styles from './alert-bell.module.css';
import type { Severity } from '@/lib/rules/severity';

/** Shape before color: an octagon, a triangle, a circle. */
const ICONS = {
  critical: IconAlertOctagonFilled,
  warning: IconAlertTriangleFilled,
  info: IconInfoCircleFilled,
} satisfies Record<Severity, unknown>;

export const SeverityIcon = ({ severity, size = 18 }: { severity: Severity; size?: number }) => {
  const Icon = ICONS[severity];
  return (
    <>
      <Icon className={styles.severity} data-severity={severity} size={size} aria-hidden="true" />
      <span className="visually-hidden">{SEVERITY_LABELS[severity]}: </span>
    </>
  );
};
