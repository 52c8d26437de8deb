'use client';

import {
  isDay,
  type CivilDay,
  PRESETS,
  PRESET_LABELS,
  presetOf,
  presetSpan,
  type DaySpan,
  type Preset,
} from '@/lib/trips/days';
import { toZoneName } from '@/lib/base/text/zone-name';
import styles from '@/components/kit/full-page.module.css';
import type { HistoryRange } from './use-history-address';

const CHOSEN = 'chosen';

interface HistoryRangeProps {
  range: HistoryRange;
  today: CivilDay;
  onChoose: (span: DaySpan) => void;
}

/** The days that a question is about: presets, two dates, and their time zone by name. */
export const HistoryRangeControl = ({ range, today, onChoose }: HistoryRangeProps) => {
  const { from, to, zone } = range;
  const choose = (span: DaySpan): void => {
    // A date that is being typed is empty at first.
    if (isDay(span.from) && isDay(span.to)) onChoose(span);
  };
  return (
    <div className={styles.range} role="group" aria-label="Days">
      <label>
        <span className="visually-hidden">Range</span>
        <select
          className="lh-select"
          value={presetOf(range, today) ?? CHOSEN}
          onChange={({ target }) => {
            if (target.value !== CHOSEN) onChoose(presetSpan(target.value as Preset, today));
          }}
        >
          {PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {PRESET_LABELS[preset]}
            </option>
          ))}
          <option value={CHOSEN}>Chosen dates</option>
        </select>
      </label>
      <label>
        <span>From</span>
        <input
          type="date"
          value={from}
          max={today}
          onChange={({ target: { value } }) => choose({ from: value, to: value > to ? value : to })}
        />
      </label>
      <label>
        <span>to</span>
        <input
          type="date"
          value={to}
          max={today}
          onChange={({ target: { value } }) => choose({ from: value < from ? value : from, to: value })}
        />
      </label>
      <span className={styles.zone} title={zone}>
        {toZoneName(zone, range.fromMs, 'longGeneric')}
      </span>
    </div>
  );
};
