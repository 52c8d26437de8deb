import { expect, it } from 'vitest';
import { oncePerUnit, type OpenAlert } from './open-alerts';

const alert = (id: number, unitName: string | null, ruleName: string): OpenAlert => ({
  ...{ id, unitName, ruleName, severity: 'warning', siteName: null, lat: null, lng: null },
  ...{ openedMs: id, isTaken: false },
});

it('a truck stands once with all its rules, and each alert of the feed by itself', () => {
  const alerts = [
    ...[alert(1, '344', 'Vanished'), alert(2, null, 'Feed late'), alert(3, '12', 'Vanished')],
    ...[alert(4, '344', 'Stands'), alert(5, null, 'Feed down')],
  ];
  expect(oncePerUnit(alerts).map(({ id, ruleName }) => [id, ruleName])).toEqual([
    ...[
      [1, 'Vanished, Stands'],
      [2, 'Feed late'],
      [3, 'Vanished'],
      [5, 'Feed down'],
    ],
  ]);
});
