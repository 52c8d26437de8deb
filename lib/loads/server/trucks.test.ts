import { expect, it } from 'vitest';
import { findTruck, nameTruck, type TruckSource } from './trucks';

const [NEW, OTHER] = ['1M8GDM9AXKP042788', '1XKYD49X8KJ900001'];

/** An own carrier whose vehicles no poll has shown yet. */
const source = {
  env: { source: 'own' },
  openServiceAdmin: async () => ({
    vehicles: {
      list: async () => [
        { vin: NEW, truckNumber: 'X20' },
        { vin: OTHER, truckNumber: '777' },
        { vin: '1XKYD49X8KJ900002', truckNumber: ' 777' },
      ],
    },
  }),
  database: { open: async () => ({ pool: { query: async () => ({ rows: [] }) } }) },
  readRoster: async () => ({ vins: [] }),
} as unknown as TruckSource;

it('finds an own truck by its number as soon as it is added, and names one that has no one number', async () => {
  const find = (text: string) => findTruck(source, '1', text);
  expect(await find('x20 ')).toBe(NEW);
  expect(await find(OTHER)).toBe(OTHER);
  await expect(find('777')).rejects.toMatchObject({
    detail: expect.stringMatching(/More than one truck/) as string,
  });
  await expect(find('8')).rejects.toMatchObject({ detail: 'The fleet has no truck 8.' });
  expect(await nameTruck(source, '1', NEW)).toEqual({ vin: NEW, number: 'X20' });
});
