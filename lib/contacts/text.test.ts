import { expect, it } from 'vitest';
import { callText, toFirstCall, toPeople } from './text';

const CONTACT = {
  ...{ unit: 'A', driver: 'Ann Lee', driverPhone: '', secondDriver: '', secondDriverPhone: '+15125550123' },
  ...{ dispatcher: '', dispatcherPhone: '', text: '' },
};

it('the first with a number is called, by name or by role', () => {
  expect(toPeople(CONTACT).map(({ role }) => role)).toEqual(['Driver', 'Second driver']);
  const first = toFirstCall(CONTACT);
  expect(callText(first, 'Left message', '2:14 PM')).toBe('Called the second driver 2:14 PM, left message');
  expect(callText(toPeople(CONTACT)[0]!, 'Spoke', '2:14 PM')).toBe('Called Ann Lee 2:14 PM, spoke');
  expect(callText(null, 'No answer', '14:14')).toBe('Called 14:14, no answer');
});
