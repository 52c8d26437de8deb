import { useMemo } from 'react';
import { preferencesAnswer } from '@/lib/alerts/answers';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '@/lib/alerts/preferences';
import { isWithinHours } from '@/lib/rules/hours';
import { useAlertAccount, useSavePreferences } from '@/lib/alerts/message-queries';
import { fromStored } from '@/lib/browser/from-stored';
import { store, useStored } from '../../ui/use-stored';
import { useViewer } from '../../layout/viewer-context';

/** The demo has no users: its preferences are the browser's. */
const KEY = 'linehaul-alert-preferences-demo';

/** Whether alerts can be judged by a stored value. @throws RangeError for a time zone that does not exist */
const isUsable = (value: unknown): value is AlertPreferences =>
  preferencesAnswer.accepts(value) &&
  (value.quietHours === null || typeof isWithinHours(value.quietHours, 0) === 'boolean');

/** The preferences of a stored text; the default ones where it holds none, damaged ones, or those of another build. */
export const parsePreferences = (stored: string | null): AlertPreferences =>
  fromStored(stored, isUsable, DEFAULT_PREFERENCES);

const useHasAccount = (): boolean => useViewer().kind === 'user';

/** How the viewer hears of alerts; null until it is known. */
export const usePreferences = (): AlertPreferences | null => {
  const hasAccount = useHasAccount();
  const stored = useStored(KEY);
  const own = useMemo(() => parsePreferences(stored), [stored]);
  const { data } = useAlertAccount(hasAccount);
  return hasAccount ? (data?.preferences ?? null) : own;
};

const NOT_STORED =
  'This browser does not let Linehaul store the choice. It holds until this page is closed or reloaded.';

/** Stores how the viewer hears of alerts. The function throws ServerUnreachableError, ServerProblemError, or an Error where the browser stores nothing. */
export const useStorePreferences = (): ((preferences: AlertPreferences) => Promise<void>) => {
  const hasAccount = useHasAccount();
  const { mutateAsync } = useSavePreferences();
  return async (preferences) => {
    if (hasAccount) {
      await mutateAsync(preferences);
      return;
    }
    if (!store(KEY, JSON.stringify(preferences))) throw new Error(NOT_STORED);
  };
};
