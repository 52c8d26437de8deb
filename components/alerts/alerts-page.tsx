'use client';

import { IconButton } from '@/components/kit/page-frame';
import { IconBellCog } from '@tabler/icons-react';
import { useMounted } from '@mantine/hooks';
import { Suspense, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useViewer } from '@/components/layout/viewer-context';
import { FullPage, HeadActions, PageHead, Tabs } from '@/components/kit/full-page';
import { onDemand } from '@/components/ui/popup/on-demand';
import { AlertList, ListLoading } from './list/alert-list';
import styles from './alerts.module.css';
import { TABS, toAlertsSearch, useAlertsAddress, type AlertsAddress, type Tab } from './use-alerts-address';

const rules = onDemand(() => import('./rules/rule-list').then(({ RuleList }) => RuleList));
const webhooks = onDemand(() => import('./webhooks/webhook-list').then(({ WebhookList }) => WebhookList));
const hearing = onDemand(() =>
  import('@/components/alert-bell/hearing/hearing-dialog').then(({ HearingDialog }) => HearingDialog),
);

const TAB_LABELS: Record<Tab, string> = { alerts: 'Alerts', rules: 'Rules', webhooks: 'Webhooks' };
const PRELOADS: Partial<Record<Tab, () => void>> = { rules: rules.preload, webhooks: webhooks.preload };

/** Webhooks are for managers, and rules for those who see the whole fleet. */
const useTabs = (): Tab[] => {
  const { role, tags } = useViewer();
  return TABS.filter((tab) => tab === 'alerts' || (tags === null && (tab === 'rules' || role === 'manager')));
};

export const AlertsPage = ({ isRecorded }: { isRecorded: boolean }) => {
  // Times and the address are the browser's.
  const isMounted = useMounted();
  const [address, show] = useAlertsAddress();
  const tabs = useTabs();
  const tab = tabs.includes(address.tab) ? address.tab : 'alerts';
  return (
    <FullPage notices={<Notices />} isScrolled>
      <Head address={address} tabs={tabs} here={tab} />
      {isRecorded ? null : (
        <p className={styles.off} role="status">
          <b>Recording is off.</b> This server does not record its fleets, so it evaluates no rules and opens
          no alerts. Rules that you set here start to work when it is started with recording.
        </p>
      )}
      {!isMounted ? null : tab === 'alerts' ? (
        <AlertList address={address} onAddress={show} isRecorded={isRecorded} />
      ) : (
        <Suspense fallback={<ListLoading />}>
          {tab === 'rules' ? (
            <rules.Part />
          ) : (
            <div className={styles.list}>
              <webhooks.Part />
            </div>
          )}
        </Suspense>
      )}
    </FullPage>
  );
};

const Head = ({ address, tabs, here }: { address: AlertsAddress; tabs: readonly Tab[]; here: Tab }) => {
  const base = `/fleets/${useUsdot()}/alerts`;
  const [isHearing, setHearing] = useState(false);
  return (
    <PageHead title="Alerts">
      <Tabs
        label="Parts of this page"
        tabs={tabs.map((tab) => ({
          label: TAB_LABELS[tab],
          link: toMapLink(`${base}${toAlertsSearch({ ...address, tab, alertId: null })}`),
          isHere: tab === here,
          preload: PRELOADS[tab],
        }))}
      />
      <HeadActions>
        <IconButton Icon={IconBellCog} onClick={() => setHearing(true)}>
          Alert notifications
        </IconButton>
      </HeadActions>
      {isHearing ? (
        <Suspense>
          <hearing.Part onClose={() => setHearing(false)} />
        </Suspense>
      ) : null}
    </PageHead>
  );
};
