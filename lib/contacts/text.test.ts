import { expect, it } from 'vitest';
import { callText, toCallable, toPeople } from './text';

const CONTACT = {
  ...{ unit: 'A', driver: 'Ann Lee', driverPhone: '', secondDriver: '', secondDriverPhone: '+15125550123' },
  ...{ dispatcher: '', dispatcherPhone: '', text: '' },
};

it('those with a number are called, by name or by role', () => {
  expect(toPeople(CONTACT).map(({ role }) => role)).toEqual(['Driver', 'Second driver']);
  const [first] = toCallable(CONTACT);
  expect(callText(first!, 'Left message', '2:14 PM')).toBe('Called 2:14 PM, left message: the second driver');
  expect(callText(toPeople(CONTACT)[0]!, 'Spoke', '2:14 PM')).toBe('Called 2:14 PM, spoke: Ann Lee');
});
