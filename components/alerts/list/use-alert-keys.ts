import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { toMomentHref, toUnitHref } from '@/components/alert-bell/alert-links';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { openMap } from '@/components/fleet-state/map-link';
import type { Alert } from '@/lib/rules/alert-rule';
import { stepTo } from './order-alerts';

export const toLineId = (id: number): string => `alert-${id}`;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
};

const idOf = (target: EventTarget): number | null => {
  const line = target instanceof Element ? target.closest('li[id^="alert-"]') : null;
  return line === null ? null : Number(line.id.slice('alert-'.length));
};

/** Arrows move from alert to alert, Enter shows the unit, m the moment, k acknowledges; Tab reaches the active one. */
export const useAlertKeys = (
  alerts: readonly Alert[],
  addressedId: number | null,
  onAcknowledge: (alert: Alert) => void,
) => {
  const usdot = useUsdot();
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const ids = alerts.map(({ id }) => id);
  const activeId = [focusedId, addressedId].find((id) => id !== null && ids.includes(id)) ?? ids[0] ?? null;

  const isAddressedShown = addressedId !== null && ids.includes(addressedId);
  useEffect(() => {
    if (isAddressedShown) document.getElementById(toLineId(addressedId))?.focus();
  }, [isAddressedShown, addressedId]);

  const act: Readonly<Record<string, (alert: Alert) => void>> = {
    Enter: (alert) => openMap(toUnitHref(usdot, alert)),
    m: (alert) => openMap(toMomentHref(usdot, alert)),
    k: (alert) => {
      if (alert.acknowledgedBy === null) onAcknowledge(alert);
    },
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const id = idOf(event.target);
    if (id === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const next = stepTo(ids, id, by);
      if (next !== null) document.getElementById(toLineId(next))?.focus();
      return;
    }
    // On a link or a button of the line, Enter is its own.
    const isOnLine = event.target instanceof HTMLLIElement;
    const alert = alerts.find((each) => each.id === id);
    if (alert === undefined || (event.key === 'Enter' && !isOnLine)) return;
    const run = act[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run(alert);
  };
  const onFocus = ({ target }: FocusEvent): void => setFocusedId(idOf(target));
  return { activeId, handlers: { onKeyDown, onFocus } };
};
