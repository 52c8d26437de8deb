import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { bestFirst, findBestMatches, searchRows } from './search';

const fleet = createTestFleet([
  { truckNumber: '5104', vin: '1FUJHHDR0NLNA1104' },
  { truckNumber: '1042', vin: '1FUJHHDR0NLNA2222' },
  { truckNumber: '77', vin: '1FUJHHDR0NLNA0104' },
  { truckNumber: '104', vin: '1FUJHHDR0NLNA3333', make: 'Volvo' },
  { truckNumber: 'É-104', vin: '1FUJHHDR0NLNA4444' },
  null,
  { truckNumber: null, vin: '1FUJHHDR0NLNB0104' },
  { truckNumber: '900', vin: '1FUJHHDR0NLNC5555', model: 'Łódź 7' },
  { truckNumber: 'Łódź-7', vin: '1FUJHHDR0NLNC6666' },
]);
const find = (query: string) => {
  const rows = searchRows(fleet, query) ?? Int32Array.from([0, 1, 2, 3, 4, 6, 7, 8]);
  return {
    listed: [...bestFirst(fleet, rows, query)],
    best: [...Array.from(findBestMatches(fleet, rows, query))],
  };
};

it.each([
  [
    'a truck number comes first, then those that begin with it, then the rest',
    '104',
    [3, 1, 0, 2, 4, 6],
    [3],
  ],
  ['the beginning of one: all that begin so', '10', [1, 3, 0, 2, 4, 6], [1, 3]],
  ['with dashes and accents as typed', 'É104', [4], [4]],
  ['with letters that are no letter and an accent', 'łódź7', [8, 7], [8]],
  ['with another word', 'volvo 104', [3], [3]],
  ['a part that no truck number begins with', '0104', [2, 6], [2, 6]],
  ['no word', '', [0, 1, 2, 3, 4, 6, 7, 8], [0, 1, 2, 3, 4, 6, 7, 8]],
])('%s', (_, query, listed, best) => {
  expect(find(query)).toEqual({ listed, best });
});
