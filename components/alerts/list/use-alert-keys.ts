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

interface Acts {
  onAcknowledge: (alert: Alert) => void;
  /** `isRange`: with all alerts from another one on. */
  onSelect: (alert: Alert, isRange: boolean, fromId?: number) => void;
  onSelectAll: (alert: Alert) => void;
}

/**
 * Arrows move from alert to alert, with Shift they select; x selects one, Ctrl+A all of its section; Enter shows the unit, m
 * the moment, k acknowledges. Tab reaches the active one.
 */
export const useAlertKeys = (
  alerts: readonly Alert[],
  addressedId: number | null,
  { onAcknowledge, onSelect, onSelectAll }: Acts,
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
    k: onAcknowledge,
    x: (alert) => onSelect(alert, false),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const id = idOf(event.target);
    const alert = alerts.find((each) => each.id === id);
    if (id === null || alert === undefined || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'a') return;
      event.preventDefault();
      return onSelectAll(alert);
    }
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const next = alerts.find((each) => each.id === stepTo(ids, id, by));
      if (next === undefined) return;
      document.getElementById(toLineId(next.id))?.focus();
      if (event.shiftKey) onSelect(next, true, id);
      return;
    }
    // On a link or a button of the line, Enter is its own.
    const isOnLine = event.target instanceof HTMLLIElement;
    if (event.key === 'Enter' && !isOnLine) return;
    const run = act[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run(alert);
  };
  const onFocus = ({ target }: FocusEvent): void => setFocusedId(idOf(target));
  return { activeId, handlers: { onKeyDown, onFocus } };
};
