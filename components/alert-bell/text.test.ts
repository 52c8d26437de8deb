import { expect, it } from 'vitest';
import { newAlertsText, worstOf } from './text';

it('the sound is that of the most severe alert, and the text names three of many', () => {
  expect(worstOf([{ severity: 'info' }, { severity: 'critical' }, { severity: 'warning' }])).toBe('critical');
  expect(newAlertsText(['Truck 7 left Yard'])).toBe('1 new alert. Truck 7 left Yard.');
  expect(newAlertsText(['A', 'B', 'C', 'D'])).toBe('4 new alerts. A. B. C.');
});
