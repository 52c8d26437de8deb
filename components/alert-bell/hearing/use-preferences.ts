import { useMemo, useSyncExternalStore } from 'react';
import { preferencesAnswer } from '@/lib/alerts/answers';
import { DEFAULT_PREFERENCES } from '@/lib/alerts/preferences';
import type { AlertPreferences } from '@/lib/alerts/preferences';
import { useAlertAccount, useSavePreferences } from '@/lib/alerts/message-queries';
import { Listeners } from '@/lib/listeners';
import { useViewer } from '../../layout/viewer-context';

/** The demo has no users: its preferences are the browser's. */
const KEY = 'linehaul-alert-preferences-demo';

const listeners = new Listeners();

const subscribe = (listener: () => void): (() => void) => {
  const remove = listeners.add(listener);
  // Another tab has stored them.
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener('storage', listener);
    remove();
  };
};

/** The preferences of a stored text; the default ones where it holds none, or those of another build. */
export const parsePreferences = (stored: string | null): AlertPreferences => {
  if (stored === null) return DEFAULT_PREFERENCES;
  const preferences: unknown = JSON.parse(stored);
  return preferencesAnswer.accepts(preferences) ? preferences : DEFAULT_PREFERENCES;
};

const readStored = (): string | null => localStorage.getItem(KEY);
const useHasAccount = (): boolean => useViewer().kind === 'user';

/** How the viewer hears of alerts; null until it is known. */
export const usePreferences = (): AlertPreferences | null => {
  const hasAccount = useHasAccount();
  const stored = useSyncExternalStore(subscribe, readStored, () => null);
  const own = useMemo(() => parsePreferences(stored), [stored]);
  const { data } = useAlertAccount(hasAccount);
  return hasAccount ? (data?.preferences ?? null) : own;
};

/** Stores how the viewer hears of alerts. The function throws ServerUnreachableError, ServerProblemError. */
export const useStorePreferences = (): ((preferences: AlertPreferences) => Promise<void>) => {
  const hasAccount = useHasAccount();
  const { mutateAsync } = useSavePreferences();
  return async (preferences) => {
    if (hasAccount) {
      await mutateAsync(preferences);
      return;
    }
    localStorage.setItem(KEY, JSON.stringify(preferences));
    listeners.notify();
  };
};
