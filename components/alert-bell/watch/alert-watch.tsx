import { BareButton } from '../../ui/bare-button';
import { IconVolumeOff } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAlertsOfRevision, useNewestAlerts } from '@/lib/alerts/queries';
import { isWanted, type AlertPreferences } from '@/lib/alerts/preferences';
import type { Alert } from '@/lib/rules/alert-rule';
import { SEVERITY_LABELS, alertText } from '@/lib/alerts/text';
import { useReading, useUsdot } from '../../fleet-state/fleet-context';
import { openMap } from '../../fleet-state/map-link';
import { useAnnounce } from '../../ui/announcer';
import { useShortcuts } from '../../ui/shortcuts';
import styles from '../alert-bell.module.css';
import { toUnitHref } from '../alert-links';
import { usePreferences } from '../hearing/use-preferences';
import { newAlertsText, worstOf } from '../text';
import { useSetWaitingAlerts } from '../waiting';
import { useMoment } from '../use-moment';
import { isSoundForbidden, playAlertSound, unlockSound } from './alert-sound';
import { performOnce } from './claim';
import { showNotification } from './desktop-notification';

/** One sound and one notification for all alerts of a poll, each in the first of the browser's tabs that can. */
const hear = async (
  usdot: string,
  alerts: readonly [Alert, ...Alert[]],
  sentences: readonly string[],
  { sound, desktop }: AlertPreferences,
): Promise<void> => {
  const [newest] = alerts;
  const newestMs = Math.max(...alerts.map(({ openedMs }) => openedMs));
  const severity = worstOf(alerts);
  const notification = {
    title:
      alerts.length === 1
        ? `${SEVERITY_LABELS[severity]}: ${newest.ruleName}`
        : `${alerts.length} new alerts`,
    body: sentences.slice(0, 4).join('\n'),
    tag: alerts.length === 1 ? `alert-${newest.id}` : `alerts-${usdot}`,
    href: toUnitHref(usdot, newest),
  };
  const once = (what: string, perform: () => Promise<boolean>): Promise<void> =>
    performOnce(`linehaul-alerts-${what}-${usdot}`, newestMs, perform);
  try {
    // Unlocked before the claim: a browser that forbids sound may be slow to answer.
    if (sound && (await unlockSound())) await once('heard', () => playAlertSound(severity));
  } finally {
    if (desktop) await once('shown', () => showNotification(notification));
  }
};

/** Reads the alerts of the fleet while its pages are open, and makes those heard that come meanwhile. */
export const AlertWatch = () => {
  const usdot = useUsdot();
  useAlertsOfRevision(usdot, useReading().fleet?.feed.alertsRevision ?? 0);
  const { data } = useNewestAlerts(usdot);
  useSetWaitingAlerts(usdot, data?.waiting);
  const preferences = usePreferences();
  const moment = useMoment();
  const announce = useAnnounce();
  // Those that were there when the page was opened are not new.
  const heardId = useRef<number | null>(null);

  const onAlerts = useEffectEvent((alerts: readonly Alert[]): void => {
    if (preferences === null) return;
    const afterId = heardId.current;
    heardId.current = Math.max(afterId ?? 0, alerts[0]?.id ?? 0);
    if (afterId === null) return;
    const wanted = alerts.filter(
      ({ id, severity, openedMs }) => id > afterId && isWanted(preferences, severity, openedMs),
    );
    const [newest, ...others] = wanted;
    if (newest === undefined) return;
    const sentences = wanted.map((alert) => alertText(alert, moment));
    announce(newAlertsText(sentences));
    hear(usdot, [newest, ...others], sentences, preferences).catch(reportError);
  });
  const alerts = data?.alerts;
  const isReady = preferences !== null;
  useEffect(() => {
    if (alerts !== undefined && isReady) onAlerts(alerts);
  }, [alerts, isReady]);

  useShortcuts({
    n: () => {
      const newest = alerts?.find(({ unit }) => unit !== '');
      if (newest === undefined) return announce('There is no alert of a truck.');
      openMap(toUnitHref(usdot, newest));
      announce(alertText(newest, moment));
    },
  });
  return preferences?.sound ? <SoundNote /> : null;
};

const INPUTS = ['pointerdown', 'keydown'] as const;

/** In a page that was not used since it was loaded, browsers play nothing. */
const SoundNote = () => {
  const [isForbidden, setForbidden] = useState(isSoundForbidden);
  useEffect(() => {
    const check = (): void => setForbidden(isSoundForbidden());
    for (const type of INPUTS) document.addEventListener(type, check, { passive: true });
    return () => INPUTS.forEach((type) => document.removeEventListener(type, check));
  }, []);
  return isForbidden ? (
    <BareButton className={styles.soundNote} title="Browsers play no sound in a page before its first click">
      <IconVolumeOff size={16} stroke={2} aria-hidden="true" />
      Click for sound
    </BareButton>
  ) : null;
};
