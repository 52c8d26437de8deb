import { Button } from '@mantine/core';
import Link from 'next/link';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useAlertRules } from '@/lib/alerts/queries';
import { ListMessage } from './list-states';
import { toAlertsSearch, type AlertsAddress } from '../use-alerts-address';

const EVERYTHING = { tab: 'alerts', isOpenOnly: false, severity: null, alertId: null } as const;

/** In place of a list without alerts: what leads to some. */
export const NoAlerts = ({ address, isRecorded }: { address: AlertsAddress; isRecorded: boolean }) => {
  const usdot = useUsdot();
  const { data } = useAlertRules(usdot);
  const link = (search: string) => toMapLink(`/fleets/${usdot}/alerts${search}`);
  if (address.isOpenOnly || address.severity !== null)
    return (
      <ListMessage title={address.isOpenOnly ? 'No open alert matches.' : 'No alert matches.'}>
        <Button component={Link} variant="default" {...link(toAlertsSearch(EVERYTHING))}>
          Show all alerts
        </Button>
      </ListMessage>
    );
  if (!isRecorded || data === undefined) return <ListMessage title="No alerts." />;
  const count = data.rules.filter(({ isEnabled }) => isEnabled).length;
  if (count > 0)
    return (
      <ListMessage title="No alerts so far.">
        <p>
          {count === 1 ? 'One rule watches' : `${count} rules watch`} this fleet. What they find is listed
          here, and you hear of it as you choose.
        </p>
      </ListMessage>
    );
  return (
    <ListMessage title="Nothing is watched yet.">
      <p>
        Tell Linehaul what matters: a truck that arrives at a customer, vanishes on the road, or stands too
        long. It watches all day, and lists here what it finds.
      </p>
      <Button component={Link} {...link(toAlertsSearch({ ...EVERYTHING, tab: 'rules' }))}>
        Make the first rule
      </Button>
    </ListMessage>
  );
};
