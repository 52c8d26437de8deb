import { ActionIcon } from '@mantine/core';
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
} from '@tabler/icons-react';
import { formatExactTime, formatTime } from '@/lib/view/format';
import { SPEEDS, usePlayer, useShownText } from '@/components/trail/day-player';
import { isOneDay, type ShownDay } from './day-bar';
import styles from './day.module.css';

interface PlayerControlsProps extends ShownDay {
  /** What is known of the shown moment. */
  describe: (atMs: number) => string;
}

/** Plays the day on the map, and says what is known of the shown moment. */
export const PlayerControls = ({ day, zone, player, describe }: PlayerControlsProps) => {
  const isPlaying = usePlayer(player, (state) => state.isPlaying);
  const speed = usePlayer(player, (state) => state.speed);
  const step = (by: -1 | 1) => (): void => player.step(day.trail, by);
  const playing = isPlaying
    ? { label: 'Pause', Icon: IconPlayerPauseFilled }
    : { label: 'Play', Icon: IconPlayerPlayFilled };
  const buttons = [
    { label: 'Fix before', key: '←', Icon: IconPlayerTrackPrevFilled, press: step(-1) },
    { ...playing, key: 'space', press: () => player.toggle() },
    { label: 'Fix after', key: '→', Icon: IconPlayerTrackNextFilled, press: step(1) },
  ];
  return (
    <div className={`lh-flex ${styles.player}`} role="group" aria-label="Play the day">
      {buttons.map(({ label, key, Icon, press }) => (
        <ActionIcon
          key={key}
          variant={key === 'space' ? 'filled' : 'default'}
          size={36}
          aria-label={label}
          title={`${label} (${key})`}
          onClick={press}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
      <label className={styles.speed}>
        <span className="visually-hidden">Speed</span>
        <select
          className={`lh-select ${styles.select}`}
          value={speed}
          onChange={({ target }) => player.setSpeed(Number(target.value))}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <Moment day={day} zone={zone} player={player} describe={describe} />
    </div>
  );
};

const Moment = ({ day, zone, player, describe }: PlayerControlsProps) => {
  const shownMs = useShownText(player);
  return (
    <p className={`lh-cut ${styles.moment}`}>
      <strong>{isOneDay(day) ? formatTime(shownMs, zone) : formatExactTime(shownMs, 0, zone)}</strong>{' '}
      <span>{describe(shownMs)}</span>
    </p>
  );
};
