import { Button } from '@mantine/core';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import {
  type RulePreview as Preview,
  type AlertRuleInput,
  alertRuleInputSchema,
} from '@/lib/rules/alert-rule';
import { useRulePreview } from '@/lib/alerts/queries';
import { alertText } from '@/lib/alerts/text';
import { formatCount } from '@/lib/view/format';
import styles from '../alerts.module.css';

/** Of the newest alerts, those that are listed. */
const LISTED = 5;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Shows on request what a rule would have sent in the last 7 days. */
export const RulePreview = ({ input }: { input: AlertRuleInput }) => {
  const { mutate, data, error, variables, isPending } = useRulePreview(useUsdot());
  // Its name and whether it is on change no alert.
  const rule = { ...input, name: 'Preview', isEnabled: true };
  const isOfRule = JSON.stringify(variables) === JSON.stringify(rule);
  return (
    <section className={styles.preview} aria-label="Preview">
      <Button
        variant="default"
        loading={isPending}
        disabled={!alertRuleInputSchema.safeParse(rule).success}
        onClick={() => mutate(rule)}
      >
        Try it on the last 7 days
      </Button>
      <div role="status">
        {isOfRule && error !== null ? <p>It could not be tried: {error.message}</p> : null}
        {isOfRule && data !== undefined ? <Sent preview={data} /> : null}
      </div>
    </section>
  );
};

const Sent = ({ preview: { count, first, fromMs, toMs } }: { preview: Preview }) => {
  const moment = useMoment();
  if (fromMs === toMs) return <p>Nothing was recorded in the last 7 days.</p>;
  const range =
    toMs - fromMs < WEEK_MS
      ? `since ${moment(fromMs)}, which is as far back as it was tried`
      : 'in the last 7 days';
  const listed = first.slice(0, LISTED);
  return (
    <>
      <p>
        Would have sent {count === 0 ? 'no alert' : formatCount(count, 'alert')} {range}.
        {count > listed.length ? ' The newest:' : null}
      </p>
      <ul>
        {listed.map((alert) => (
          <li key={`${alert.unit} ${alert.openedMs}`}>{alertText(alert, moment)}</li>
        ))}
      </ul>
    </>
  );
};
