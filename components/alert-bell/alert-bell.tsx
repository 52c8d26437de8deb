import { BareButton } from '../ui/bare-button';
import { IconBell } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useUsdot } from '../fleet-state/fleet-context';
import { useIsIdle } from '../fleet-state/use-is-idle';
import { onDemand } from '../ui/popup/on-demand';
import { Popup } from '../ui/popup/popup';
import styles from './alert-bell.module.css';
import { listWaiting, useWaitingAlerts } from './waiting';

const bellCard = onDemand(() => import('./bell-card').then(({ BellCard }) => BellCard));
const hearing = onDemand(() => import('./hearing/hearing-dialog').then(({ HearingDialog }) => HearingDialog));
const alertWatch = onDemand(() => import('./watch/alert-watch').then(({ AlertWatch }) => AlertWatch));

/** How many open alerts need someone, by severity, and a popover with them. */
export const AlertBell = () => {
  const waiting = listWaiting(useWaitingAlerts(useUsdot()));
  const text = ['Alerts', ...waiting.map((each) => each.text)].join(', ');
  const [isOpen, setOpen] = useState(false);
  const [isHearing, setHearing] = useState(false);
  const openHearing = (): void => {
    setOpen(false);
    setHearing(true);
  };
  return (
    <>
      <Popup
        kind="dialog"
        width={380}
        position="bottom-end"
        isOpen={isOpen}
        onOpenChange={setOpen}
        className={styles.card}
        preload={bellCard.preload}
        target={
          <BareButton className={`lh-icon ${styles.bell}`} title={text} data-waiting={waiting.length > 0}>
            <IconBell size={20} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">{text}</span>
            {waiting.map(({ severity, badge }) => (
              <span key={severity} className={styles.count} data-severity={severity} aria-hidden="true">
                {badge}
              </span>
            ))}
          </BareButton>
        }
      >
        <bellCard.Part onClose={() => setOpen(false)} onHearing={openHearing} />
      </Popup>
      {isHearing ? (
        <Suspense>
          <hearing.Part onClose={() => setHearing(false)} />
        </Suspense>
      ) : null}
      {useIsIdle() ? (
        <Suspense>
          <alertWatch.Part />
        </Suspense>
      ) : null}
    </>
  );
};
