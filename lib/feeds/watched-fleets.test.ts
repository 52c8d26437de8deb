import { describe, expect, it } from 'vitest';
import type { Feed, Feeds } from './feeds';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import type { Viewer } from '@/lib/base/viewer';
import { clockOf } from '@/testing/clock';
import { WatchedFleets } from './watched-fleets';

const IDLE_MS = 1000;
const toViewer = (kind: Viewer['kind'], id: string | null, usdots: string[] | null = null) => ({
  kind,
  id,
  usdots,
  tags: null,
});
const ANN = toViewer('user', 'ann');
const BEN = toViewer('user', 'ben');
const WALL = toViewer('screen', 'wall');

const setUp = () => {
  const clock = { nowMs: 0 };
  /**
   * The fleets of which the provider shows units, those of which it shows only a roster, and those it
   * refuses.
   */
  const provider = { units: new Set<string>(), rosters: new Set<string>(), refused: new Set<string>() };
  const toFeed = (usdot: string) =>
    ({
      state: () => ({
        ...UNREAD_FEED,
        activeUnits: provider.units.has(usdot) ? 1 : 0,
        rosterVins: provider.rosters.has(usdot) ? 1 : null,
      }),
      refusedForMs: () => (provider.refused.has(usdot) ? 1 : 0),
    }) as Feed;
  const fleets = new WatchedFleets({
    feeds: { feed: toFeed } as Feeds,
    limit: (feed) => feed,
    requireFleet: () => undefined,
    isConfigured: (usdot) => usdot.startsWith('9'),
    clock: clockOf(() => clock.nowMs),
    max: 8,
    maxUnknown: 4,
    maxUnknownPerViewer: 3,
    maxOpenedPerS: 4,
    idleMs: IDLE_MS,
  });
  const ask = (viewer: typeof ANN, ...usdots: string[]) => {
    for (const usdot of usdots) fleets.feed(usdot, viewer);
  };
  const list = () => fleets.list().map(({ usdot }) => usdot);
  return { fleets, ask, list, clock, provider };
};

describe('watched fleets', () => {
  it('gives one viewer few slots for invented numbers, and all viewers together a few more', () => {
    const { ask } = setUp();
    ask(WALL, '1', '2', '3');
    expect(() => ask(WALL, '4')).toThrow(
      'Got USDOT 4 when 3 unknown fleets of one viewer are watched already.',
    );
    ask(WALL, '1', '2', '3');
    ask(ANN, '5');
    expect(() => ask(BEN, '6')).toThrow('Got USDOT 6 when 4 unknown fleets are watched already.');
  });

  it('keeps room for fleets that are configured, named for a viewer or shown by the provider', () => {
    const { ask, list, provider } = setUp();
    for (const viewer of [WALL, ANN, BEN])
      for (let usdot = 1; usdot <= 40; usdot++) {
        if (usdot === 9) continue;
        try {
          ask(viewer, String(usdot));
        } catch (error) {
          expect(error).toMatchObject({ code: 'too-many-fleets' });
        }
      }
    expect(list()).toHaveLength(4);
    ask(BEN, '91', '92');
    ask(toViewer('user', 'cid', ['77']), '77');
    provider.units.add('1');
    provider.rosters.add('2');
    // Two of the four are known by now, and their slots are free.
    expect(() => ask(ANN, '50')).not.toThrow();
    expect(list()).toHaveLength(8);
  });

  it('keeps no slot for fleets that the provider refused, so that many of them lock out no real one', () => {
    const { ask, list, provider } = setUp();
    for (let usdot = 101; usdot <= 120; usdot++) {
      ask(WALL, String(usdot));
      provider.refused.add(String(usdot));
    }
    ask(WALL, '1', '2', '3', '101');
    expect(list()).toEqual(['1', '2', '3']);
    // Once the refusal is over, it takes a slot again.
    provider.refused.clear();
    expect(() => ask(WALL, '101')).toThrow('when 3 unknown fleets of one viewer are watched already.');
  });

  it('opens so many unknown fleets a second for each viewer, so that refused numbers cost the provider little', () => {
    const { ask, clock, provider } = setUp();
    const askUntilRefused = (viewer: typeof ANN, first: number) => {
      for (let usdot = first; ; usdot++) {
        try {
          ask(viewer, String(usdot));
        } catch (error) {
          expect(error).toMatchObject({ code: 'too-many-calls', retryAfterS: 1 });
          return usdot - first;
        }
        provider.refused.add(String(usdot));
      }
    };
    expect(askUntilRefused(WALL, 1001)).toBe(40);
    ask(WALL, '1001', '91');
    expect(() => ask(ANN, '1')).not.toThrow();
    clock.nowMs += IDLE_MS;
    expect(askUntilRefused(WALL, 2001)).toBe(4);
  });

  it('keeps watching a known fleet that the provider refuses', () => {
    const { ask, list, provider } = setUp();
    provider.refused.add('91');
    ask(ANN, '91');
    expect(list()).toEqual(['91']);
  });

  it('lets a known fleet take the place of the unknown one that was requested longest ago', () => {
    const { ask, list } = setUp();
    ask(WALL, '1', '2');
    ask(ANN, '91', '92', '93', '94', '95', '96');
    ask(WALL, '1');
    ask(ANN, '97');
    expect(list()).not.toContain('2');
    ask(ANN, '98');
    expect(list()).toEqual(['91', '92', '93', '94', '95', '96', '97', '98']);
    expect(() => ask(ANN, '99')).toThrow('Got USDOT 99 when 8 fleets are watched already.');
    expect(() => ask(WALL, '1')).toThrow('Got USDOT 1 when 8 fleets are watched already.');
  });

  it('frees the slot of a fleet that was not requested for a while', () => {
    const { ask, clock } = setUp();
    ask(WALL, '1', '2', '3');
    clock.nowMs += IDLE_MS + 1;
    expect(() => ask(WALL, '4', '5', '6')).not.toThrow();
  });

  it('knows a fleet by any viewer for whom it was named', () => {
    const { ask, list } = setUp();
    ask(WALL, '1');
    ask(toViewer('user', 'cid', ['1']), '1');
    ask(ANN, '91', '92', '93', '94', '95', '96', '97');
    expect(() => ask(ANN, '98')).toThrow('when 8 fleets');
    expect(list()).toContain('1');
  });
});
