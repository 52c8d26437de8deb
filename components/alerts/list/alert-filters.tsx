import { BareButton } from '../../ui/bare-button';
import { readLocation } from '@/lib/browser/history-limit';
import type { Alert } from '@/lib/rules/alert-rule';
import { SEVERITY_LABELS } from '@/lib/alerts/text';
import styles from '@/components/alerts/alerts.module.css';
import { toAlertsSearch, type AlertsAddress } from '../use-alerts-address';
import type { Severity } from '@/lib/rules/severity';

/** The most severe first. */
const SEVERITIES = (Object.keys(SEVERITY_LABELS) as Severity[]).reverse();

interface AlertFiltersProps {
  address: AlertsAddress;
  open: readonly Alert[];
}

/** Which alerts are listed, with how many of them are open. */
export const AlertFilters = ({ address, open }: AlertFiltersProps) => {
  const { isOpenOnly, severity } = address;
  const show = (change: Partial<AlertsAddress>): void =>
    window.history.pushState(
      null,
      '',
      `${readLocation().pathname}${toAlertsSearch({ ...address, alertId: null, ...change })}`,
    );
  return (
    <div className={styles.filters}>
      <div role="group" aria-label="Alerts to list" className={styles.choices}>
        <Choice isPressed={!isOpenOnly} onPress={() => show({ isOpenOnly: false })}>
          All
        </Choice>
        <Choice isPressed={isOpenOnly} onPress={() => show({ isOpenOnly: true })}>
          Open <b>{open.length}</b>
        </Choice>
      </div>
      <div role="group" aria-label="Severity" className={styles.choices}>
        {SEVERITIES.map((each) => (
          <Choice
            key={each}
            isPressed={severity === each}
            onPress={() => show({ severity: severity === each ? null : each })}
          >
            {SEVERITY_LABELS[each]} <b>{open.filter((alert) => alert.severity === each).length}</b>
          </Choice>
        ))}
      </div>
    </div>
  );
};

interface ChoiceProps {
  isPressed: boolean;
  onPress: () => void;
  children: React.ReactNode;
}

const Choice = ({ isPressed, onPress, children }: ChoiceProps) => (
  <BareButton className={styles.choice} aria-pressed={isPressed} onClick={onPress}>
    {children}
  </BareButton>
);
