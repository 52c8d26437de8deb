import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { OVERLAID, isWithin } from '@/components/ui/shortcuts';
import { useAlertChanges } from '@/lib/alerts/queries';
import type { AlertsChange } from '@/lib/alerts/schema';
import { formatCount } from '@/lib/view/format';
import type { Alert } from '@/lib/rules/alert-rule';
import { isWaiting } from '@/components/alert-bell/text';
import { rangeOf } from './order-alerts';

const NOTHING = { isAcknowledged: false, isClosed: false, note: '' };

/** Changes of alerts together, and what was done last. */
const useChanges = () => {
  const { changeAll } = useAlertChanges(useUsdot());
  const announce = useAnnounce();
  /** `taken`: the alerts that were acknowledged by it, which can be released. */
  const [done, setDone] = useState<{ text: string; taken: readonly Alert[] } | null>(null);
  const tell = (text: string, taken: readonly Alert[] = []): void => {
    setDone({ text, taken });
    announce(text);
  };
  const change = async (action: string, input: Partial<AlertsChange>, alerts: readonly Alert[]) => {
    const alertIds = alerts.map(({ id }) => id);
    const { changed, unchanged } = await changeAll.mutateAsync({ ...NOTHING, alertIds, ...input });
    const rest = unchanged === 0 ? '' : ` ${formatCount(unchanged, 'alert')} stayed as before.`;
    tell(`${formatCount(changed, 'alert')} ${action}.${rest}`, input.isAcknowledged === true ? alerts : []);
  };
  const { isPending, error } = changeAll;
  const undo = (): void =>
    void change('released', { isReleased: true }, done?.taken ?? []).catch(() => undefined);
  return { isPending, error, done, tell, change, undo, dismiss: (): void => setDone(null) };
};

/** The chosen alerts of those that are listed, and what can be done with them together. */
export const useSelection = (listed: readonly Alert[]) => {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  /** The list, and the alert that was chosen last, where a range begins. */
  const latest = useRef({ listed, lastId: null as number | null });
  useEffect(() => {
    latest.current.listed = listed;
  });
  const selected = listed.filter(({ id }) => ids.has(id));
  const changes = useChanges();

  /** Chooses an alert or lets it go; as a range, also all from another one on. It stays the same, as lines need it. */
  const select = useCallback(({ id }: Alert, isRange: boolean, fromId = latest.current.lastId): void => {
    const range = rangeOf(
      latest.current.listed.map((alert) => alert.id),
      fromId ?? id,
      id,
    );
    latest.current.lastId = id;
    setIds((before) => {
      const next = new Set(before);
      if (isRange) for (const each of range) next.add(each);
      else if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);

  const clear = (): void => {
    setIds(new Set());
    changes.dismiss();
  };
  /** Escape lets all go, unless it closes a dialog. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || selected.length === 0 || isWithin(event.target, OVERLAID)) return;
    event.preventDefault();
    clear();
  };

  const changeChosen = async (action: string, input: Partial<AlertsChange>, alerts = selected) => {
    await changes.change(action, input, alerts);
    setIds(new Set());
  };

  return {
    ...changes,
    selected,
    isSelected: ({ id }: Alert): boolean => ids.has(id),
    select,
    selectAll: (alerts: readonly Alert[], isChosen: boolean): void => {
      const next = new Set(ids);
      for (const { id } of alerts)
        if (isChosen) next.add(id);
        else next.delete(id);
      setIds(next);
    },
    clear,
    onKeyDown,
    /** Acknowledges those of the chosen ones, or of others, that wait, at once. A failure is in `error`. */
    acknowledge: (alerts = selected): void => {
      const waiting = alerts.filter(isWaiting);
      if (waiting.length > 0)
        void changeChosen('acknowledged', { isAcknowledged: true }, waiting).catch(() => undefined);
    },
    note: (note: string) => changeChosen('noted', { note }),
    close: (note: string) => changeChosen('closed', { isClosed: true, note }),
  };
};
export type Selection = ReturnType<typeof useSelection>;
