import { Button } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Message } from '@/components/kit/full-page';
import { useAlertRules } from '@/lib/alerts/queries';
import { toAlertsSearch, type AlertsAddress } from '../use-alerts-address';

const EVERYTHING = { tab: 'alerts', list: 'all', severity: null, alertId: null } as const;

const NO_ALERTS: Record<AlertsAddress['list'], string> = {
  all: 'No alert matches.',
  waiting: 'No alert waits for anyone.',
  open: 'No open alert matches.',
};

/** The message in place of a list without alerts, and the way to some. */
export const NoAlerts = ({ address, isRecorded }: { address: AlertsAddress; isRecorded: boolean }) => {
  const usdot = useUsdot();
  const { data } = useAlertRules(usdot);
  const [query, setQuery] = useSearchText();
  if (query.trim() !== '')
    return (
      <Message title={`No alert in this list matches “${query.trim()}”.`}>
        <Button variant="default" onClick={() => setQuery('')}>
          Clear search
        </Button>
      </Message>
    );
  const link = (search: string) => toMapLink(`/fleets/${usdot}/alerts${search}`);
  if (address.list !== 'all' || address.severity !== null)
    return (
      <Message title={NO_ALERTS[address.list]}>
        <Button component={Link} variant="default" {...link(toAlertsSearch(EVERYTHING))}>
          Show all alerts
        </Button>
      </Message>
    );
  if (!isRecorded || data === undefined) return <Message title="No alerts." />;
  const count = data.rules.filter(({ isEnabled }) => isEnabled).length;
  if (count > 0)
    return (
      <Message title="No alerts so far.">
        <p>
          {count === 1 ? 'One rule watches' : `${count} rules watch`} this fleet. What they find is listed
          here, and you hear of it as you choose.
        </p>
      </Message>
    );
  return (
    <Message title="Nothing is watched yet.">
      <p>
        Tell Linehaul what matters: a truck that arrives at a customer, vanishes on the road, or stands too
        long. It watches all day, and lists here what it finds.
      </p>
      <Button component={Link} {...link(toAlertsSearch({ ...EVERYTHING, tab: 'rules' }))}>
        Make the first rule
      </Button>
    </Message>
  );
};
