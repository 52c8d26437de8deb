import { Button, Checkbox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { toMomentLink, toUnitLink } from '@/components/alert-bell/alert-links';
import { SeverityIcon } from '@/components/alert-bell/severity-icon';
import { useAge, useMoment } from '@/components/alert-bell/use-moment';
import { ContactLine } from '@/components/contacts/contact-line';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Link } from '@/components/ui/link';
import { usePlaces } from '@/components/ui/use-places';
import type { Alert } from '@/lib/rules/alert-rule';
import { SEVERITY_LABELS, alertText } from '@/lib/alerts/text';
import { formatDuration } from '@/lib/view/format';
import styles from '../alerts.module.css';
import { isWaiting } from '@/components/alert-bell/text';
import { toLineId } from './use-alert-keys';
import { MINUTE_MS } from '@/lib/base/time';
import type { UnitContact } from '@/lib/view/marks';

/** When it ended; nothing of one that ended as it began. */
const closedText = ({ openedMs, closedMs, closedBy }: Alert, moment: (ms: number) => string): string | null =>
  closedMs === null || (closedMs - openedMs < MINUTE_MS && closedBy === null)
    ? null
    : `closed ${closedBy === null ? '' : `by ${closedBy} `}at ${moment(closedMs)}, open for ${formatDuration(closedMs - openedMs)}`;

interface AlertLineProps {
  alert: Alert;
  /** It came since the page was opened last. */
  isNew: boolean;
  /** The tab key reaches it. */
  isActive: boolean;
  /** Whom to call about its truck; null: not known. */
  contact: UnitContact | null;
  isSelected: boolean;
  onSelect: (alert: Alert, isRange: boolean) => void;
  onAcknowledge: (alert: Alert) => void;
}

export const AlertLine = memo(function AlertLine(props: AlertLineProps) {
  const { alert, isNew, isActive, contact, isSelected, onSelect, onAcknowledge } = props;
  const { id, severity, facts, ruleName, openedMs, closedMs, unit } = alert;
  const moment = useMoment();
  const age = useAge();
  const sentence = alertText(alert, moment);
  const name = unit === '' ? 'the feed' : (facts.unitName ?? unit);
  return (
    <li
      id={toLineId(id)}
      className={`lh-row ${styles.line}`}
      tabIndex={isActive ? 0 : -1}
      data-waiting={isWaiting(alert)}
      data-selected={isSelected}
      // What has the focus is read out by its name, which a list item does not get from its content.
      aria-label={`${SEVERITY_LABELS[severity]}: ${sentence}${isNew ? ', new' : ''}${isSelected ? ', selected' : ''}`}
      aria-keyshortcuts="Enter m k x"
    >
      <Checkbox
        className={styles.select}
        aria-label={`Select ${name}, ${ruleName}`}
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          onSelect(alert, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
      />
      <SeverityIcon severity={severity} size={20} />
      <div className={styles.what}>
        <p className={styles.sentence}>
          {sentence} {isNew ? <span className={styles.new}>New</span> : null}
        </p>
        <p className="lh-note">
          <Place facts={facts} />
          {[ruleName, closedText(alert, moment)].filter(Boolean).join(' · ')}
        </p>
        {closedMs === null ? <ContactLine contact={contact} /> : null}
        <Acknowledgement alert={alert} moment={moment} />
      </div>
      <time className={`lh-dim ${styles.age}`} dateTime={new Date(openedMs).toISOString()}>
        {age(openedMs)}
      </time>
      <Actions alert={alert} name={name} onAcknowledge={onAcknowledge} />
    </li>
  );
});

const Actions = ({
  alert,
  name,
  onAcknowledge,
}: Pick<AlertLineProps, 'alert' | 'onAcknowledge'> & { name: string }) => {
  const usdot = useUsdot();
  const moment = useMoment();
  const { unit, openedMs, ruleName, facts } = alert;
  return (
    <div className={styles.actions}>
      {facts.load === undefined ? null : (
        <Link href={`/fleets/${usdot}/loads/${facts.load.id}`} aria-label={`Load ${facts.load.reference}`}>
          Load
        </Link>
      )}
      {unit === '' ? null : (
        <Link {...toUnitLink(usdot, alert)} aria-label={`Map: ${name} now`}>
          Map
        </Link>
      )}
      <Link {...toMomentLink(usdot, alert)} aria-label={`That moment: ${name} at ${moment(openedMs)}`}>
        That moment
      </Link>
      {isWaiting(alert) ? (
        <Button
          size="xs"
          variant="default"
          aria-label={`Acknowledge ${name}, ${ruleName}`}
          onClick={() => onAcknowledge(alert)}
        >
          Acknowledge
        </Button>
      ) : null}
    </div>
  );
};

/** The town near an alert, where its sentence names no site. */
const Place = ({ facts: { lat, lng, siteName } }: Pick<Alert, 'facts'>) => {
  const isWanted = siteName === null && lat !== null && lng !== null;
  const placeAt = usePlaces(isWanted);
  return isWanted && placeAt !== null ? `${placeAt({ lat, lng })} · ` : null;
};

const Acknowledgement = ({ alert, moment }: { alert: Alert; moment: (ms: number) => string }) => {
  const { acknowledgedBy, acknowledgedMs, note } = alert;
  if (acknowledgedBy === null || acknowledgedMs === null)
    return note === null ? null : <p className={styles.note}>Note: {note}</p>;
  return (
    <p className={styles.taken}>
      <IconCheck size={15} stroke={2.5} aria-hidden="true" />
      <span className={styles.note}>
        {acknowledgedBy} took it at {moment(acknowledgedMs)}
        {note === null ? '' : `: ${note}`}
      </span>
    </p>
  );
};
