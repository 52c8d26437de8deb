import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { addDays, fromClockAddress, isDay, toClockAddress, type CivilDay } from '@/lib/trips/days';
import { readLocation } from '@/lib/browser/history-limit';
import { parseVin } from '@/lib/identity/vin';
import { DayPlayer, SPEEDS, USUAL_SPEED } from '@/components/trail/day-player';

/** A player that is dragged changes its moment dozens of times a second. */
const QUIET_MS = 400;
const PLAYING_MS = 2000;
/** A time of the last day, or with its day where that is another: "2026-11-17T13:36:12". */
const MOMENT = /^(?:(\d{4}-\d{2}-\d{2})T)?((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[-+ ]\d{2}:[0-5]\d)?)$/;
export const LENGTHS = [1, 2, 7, 31] as const;
/** Trucks that are shown besides the one of the page. */
export const MOST_OTHERS = 5;

interface DayAddress {
  day: CivilDay | null;
  days: number;
  /** By the clock of the viewer's zone. */
  at: string | null;
  speed: number;
  /** VINs of the trucks beside it. */
  others: readonly string[];
}

const parseVins = (text: string): string[] =>
  [...new Set(text.split(',').flatMap((vin) => parseVin(vin) ?? []))].slice(0, MOST_OTHERS);

const parse = (search: URLSearchParams): DayAddress => {
  const [day, at, speed] = [search.get('day') ?? '', search.get('at') ?? '', Number(search.get('speed'))];
  return {
    day: isDay(day) ? day : null,
    days: LENGTHS.find((each) => String(each) === search.get('days')) ?? 1,
    at: MOMENT.test(at) ? at : null,
    speed: SPEEDS.find((each) => each === speed) ?? USUAL_SPEED,
    others: parseVins(search.get('with') ?? ''),
  };
};

const format = ({ day, days, at, speed, others }: DayAddress): string => {
  const fields = [
    'view=day',
    day === null ? null : `day=${day}`,
    days === 1 ? null : `days=${days}`,
    others.length === 0 ? null : `with=${others.join(',')}`,
    at === null ? null : `at=${at}`,
    speed === USUAL_SPEED ? null : `speed=${speed}`,
  ];
  return `?${fields.filter((field) => field !== null).join('&')}`;
};

/** A step that "back" undoes. */
const push = (address: DayAddress): void => window.history.pushState(null, '', format(address));

const toAtMs = ({ at }: DayAddress, day: CivilDay, zone: string): number | null => {
  const [, ownDay = day, time] = MOMENT.exec(at ?? '') ?? [];
  return time === undefined || !isDay(ownDay) ? null : fromClockAddress(ownDay, time, zone);
};

/** The moment and the speed of a player, as the address of a day has them. */
const toShownMoment = (player: DayPlayer, day: CivilDay, zone: string): Pick<DayAddress, 'at' | 'speed'> => {
  const { atMs, speed } = player.read();
  const [atDay, time] = toClockAddress(atMs ?? 0, zone);
  return { at: atMs === null ? null : atDay === day ? time! : `${atDay}T${time}`, speed };
};

/** The address opened last: while a key is held, pages render later, and the router writes each address again. */
const useOpened = ({ day, days }: DayAddress) => {
  const opened = useRef<DayAddress | null>(null);
  useEffect(() => {
    if (opened.current?.day === day && opened.current.days === days) opened.current = null;
  }, [day, days]);
  useEffect(() => {
    const forget = (): void => void (opened.current = null);
    window.addEventListener('popstate', forget);
    return () => window.removeEventListener('popstate', forget);
  }, []);
  return {
    read: () => opened.current,
    write: (next: DayAddress): void => {
      opened.current = next;
      push(next);
    },
  };
};

/** Keeps the day, the moment, the speed and the compared trucks in the address, and takes them from there. */
export const useDayAddress = (vin: string, zone: string, todayDay: CivilDay) => {
  const search = useSearchParams();
  const address = parse(new URLSearchParams(search?.toString()));
  const day = address.day !== null && address.day <= todayDay ? address.day : todayDay;
  const { days } = address;
  const named = address.others.filter((other) => other !== vin).join();
  const others = useMemo(() => (named === '' ? [] : named.split(',')), [named]);
  const [player] = useState(() => new DayPlayer({ atMs: toAtMs(address, day, zone), speed: address.speed }));
  const written = useRef(search?.toString());
  const text = search?.toString();

  useEffect(() => {
    // What this page wrote itself is known already.
    if (text === written.current) return;
    written.current = text;
    const next = parse(new URLSearchParams(text));
    player.pause();
    player.setSpeed(next.speed);
    player.seek(toAtMs(next, day, zone));
  }, [text, day, zone, player]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      timer = undefined;
      // Another page or view was opened in the meantime, and has the address.
      if (new URLSearchParams(readLocation().search).toString() !== written.current) return;
      const { at, speed } = toShownMoment(player, day, zone);
      const next = format({ day, days, at, speed, others });
      if (next === readLocation().search || (at === null && address.day === null && speed === USUAL_SPEED))
        return;
      // As the router spells it.
      written.current = new URLSearchParams(next).toString();
      window.history.replaceState(null, '', next);
    };
    let isSlow = false;
    const remove = player.subscribe(() => {
      const { isPlaying } = player.read();
      // A pause is written soon.
      if (isSlow && !isPlaying) {
        clearTimeout(timer);
        timer = undefined;
      }
      isSlow = isPlaying;
      timer ??= setTimeout(write, isPlaying ? PLAYING_MS : QUIET_MS);
    });
    return () => {
      clearTimeout(timer);
      remove();
    };
  }, [player, zone, day, days, others, address.day]);

  useEffect(() => () => player.pause(), [player]);
  const opened = useOpened(address);
  /** Shows another range, by its last day, as a step that "back" undoes. */
  const open = (next: CivilDay, length: number): void => {
    const { speed } = player.read();
    opened.write({ day: next >= todayDay ? null : next, days: length, at: null, speed, others });
  };
  /** Shows the range after or before. */
  const move = (by: -1 | 1): void => {
    const { day: from, days: length } = opened.read() ?? { day, days };
    open(addDays(from ?? todayDay, by * length), length);
  };
  const compare = (next: readonly string[]): void =>
    push({ ...address, ...toShownMoment(player, day, zone), others: next });
  return { day, days, player, others, compare, open, move };
};
