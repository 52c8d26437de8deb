import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { dayOf, isDay, toMoment, toWallClock } from '@/lib/history/days';
import type { CivilDay } from '@/lib/history/days';
import { DayPlayer, SPEEDS, USUAL_SPEED } from './day-player';

/** Browsers slow down or refuse pages that change their address dozens of times a second. */
const QUIET_MS = 400;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** The day, the moment and the speed that an address names. */
interface DayAddress {
  day: CivilDay | null;
  /** Time of day in the truck's zone: "13:36:12". */
  at: string | null;
  speed: number;
}

const parse = (search: URLSearchParams): DayAddress => {
  const [day, at, speed] = [search.get('day') ?? '', search.get('at') ?? '', Number(search.get('speed'))];
  return {
    day: isDay(day) ? day : null,
    at: TIME.test(at) ? at : null,
    speed: SPEEDS.find((each) => each === speed) ?? USUAL_SPEED,
  };
};

const format = ({ day, at, speed }: DayAddress): string => {
  const fields = [
    'view=day',
    day === null ? null : `day=${day}`,
    at === null ? null : `at=${at}`,
    speed === USUAL_SPEED ? null : `speed=${speed}`,
  ];
  return `?${fields.filter((field) => field !== null).join('&')}`;
};

/** Shows another day as a step of its own, which "back" undoes. */
const openDay = (day: CivilDay | null, speed: number): void =>
  window.history.pushState(null, '', format({ day, at: null, speed }));

/** Keeps the day, the moment and the speed in the address, and takes them from there. */
export const useDayAddress = (
  zone: string,
  todayDay: CivilDay,
): { day: CivilDay; player: DayPlayer; open: (day: CivilDay) => void } => {
  const search = useSearchParams();
  const address = parse(new URLSearchParams(search?.toString()));
  const day = address.day !== null && address.day <= todayDay ? address.day : todayDay;
  const toAtMs = ({ at }: DayAddress): number | null => (at === null ? null : toMoment(day, at, zone));
  const [player] = useState(() => new DayPlayer({ atMs: toAtMs(address), speed: address.speed }));
  const written = useRef(search?.toString());
  const text = search?.toString();

  useEffect(() => {
    // What this page wrote itself is known already.
    if (text === written.current) return;
    written.current = text;
    const next = parse(new URLSearchParams(text));
    player.pause();
    player.setSpeed(next.speed);
    player.seek(next.at === null ? null : toMoment(day, next.at, zone));
  }, [text, day, zone, player]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      timer = undefined;
      const { atMs, speed } = player.read();
      const isHere = atMs !== null && dayOf(atMs, zone) === day;
      const at = isHere ? toWallClock(atMs, zone).slice(11) : null;
      const next = format({ day, at, speed });
      if (next === window.location.search || (at === null && address.day === null && speed === USUAL_SPEED))
        return;
      written.current = next.slice(1);
      window.history.replaceState(null, '', next);
    };
    const remove = player.subscribe(() => {
      timer ??= setTimeout(write, QUIET_MS);
    });
    return () => {
      clearTimeout(timer);
      remove();
    };
  }, [player, zone, day, address.day]);

  useEffect(() => () => player.pause(), [player]);
  const open = (next: CivilDay): void => openDay(next === todayDay ? null : next, player.read().speed);
  return { day, player, open };
};
