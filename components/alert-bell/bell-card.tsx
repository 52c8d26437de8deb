import { ContactLine } from '../contacts/contact-line';
import { BareButton } from '../ui/bare-button';
import { useContactOf } from '@/lib/contacts/queries';
import { useEffect, useState } from 'react';
import { useAlertChanges, useNewestAlerts } from '@/lib/alerts/queries';
import type { AlertPage } from '@/lib/alerts/answers';
import type { Alert } from '@/lib/rules/alert-rule';
import { alertText } from '@/lib/alerts/text';
import { NearLink } from '../ui/near-link';
import { useUsdot } from '../fleet-state/fleet-context';
import styles from './alert-bell.module.css';
import { toUnitLink } from './alert-links';
import { SeverityIcon } from './severity-icon';
import { unreadText } from './unread';
import { useAge, useMoment } from './use-moment';

const SHOWN = 8;

interface BellCardProps {
  onClose: () => void;
  /** Opens the choice of sound, notifications and messages. */
  onHearing: () => void;
}

/** The newest alerts, each a link to its unit on the map. */
export const BellCard = ({ onClose, onHearing }: BellCardProps) => {
  const usdot = useUsdot();
  const { data, error, failureReason } = useNewestAlerts(usdot);
  return (
    <>
      <div className={styles.cardHead}>
        <h2>Alerts</h2>
        {data !== undefined && data.unread > 0 ? <span>{unreadText(data.unread)} unread</span> : null}
      </div>
      {data === undefined ? (
        <p className={styles.nothing} role="status">
          {(error ?? failureReason)?.message ?? 'Loading the alerts…'}
        </p>
      ) : (
        <Newest page={data} onClose={onClose} />
      )}
      <div className={styles.cardFoot}>
        <NearLink href={`/fleets/${usdot}/alerts`} onNavigate={onClose}>
          All alerts and rules
        </NearLink>
        <BareButton onClick={onHearing}>Alert notifications</BareButton>
      </div>
    </>
  );
};

const Newest = ({ page, onClose }: { page: AlertPage; onClose: () => void }) => {
  const usdot = useUsdot();
  const { alerts, unread } = page;
  const contactOf = useContactOf(usdot);
  const newest = alerts.slice(0, SHOWN);
  // They stay marked while the card is open.
  const [lastReadId] = useState(() => alerts[unread]?.id ?? 0);
  const { mutate: markRead } = useAlertChanges(usdot).markRead;
  const newestId = newest[0]?.id ?? 0;
  // Those that do not fit are still to be read.
  const isAllShown = unread > 0 && unread <= SHOWN;
  useEffect(() => {
    if (isAllShown) markRead(newestId);
  }, [isAllShown, newestId, markRead]);
  if (newest.length === 0) return <p className={styles.nothing}>No alerts so far.</p>;
  return (
    <ul className="lh-list">
      {newest.map((alert) => (
        <li key={alert.id}>
          <NewestAlert alert={alert} isUnread={alert.id > lastReadId} onClose={onClose} />
          {alert.closedMs === null ? (
            <div className={styles.contact}>
              <ContactLine contact={contactOf(alert.unit)} most={1} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
};

interface NewestAlertProps {
  alert: Alert;
  isUnread: boolean;
  onClose: () => void;
}

const NewestAlert = ({ alert, isUnread, onClose }: NewestAlertProps) => {
  const moment = useMoment();
  const age = useAge();
  const { onNavigate, ...link } = toUnitLink(useUsdot(), alert);
  return (
    <NearLink
      {...link}
      className={`lh-row ${styles.alert}`}
      data-unread={isUnread}
      onNavigate={(event) => {
        onNavigate(event);
        onClose();
      }}
    >
      <SeverityIcon severity={alert.severity} />
      <span>
        {alertText(alert, moment)}
        <span className={`lh-small ${styles.small}`}>
          {[alert.ruleName, alert.closedMs === null ? null : 'closed', alert.acknowledgedBy]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className={styles.age}>{age(alert.openedMs)}</span>
    </NearLink>
  );
};
