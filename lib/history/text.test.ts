import { expect, it } from 'vitest';
import { reasonText } from './text';

it('tells apart why nothing was recorded: a failure, answers in doubt, and our own database', () => {
  const reason = (state: Parameters<typeof reasonText>[0]['state'], problem: string | null = null) =>
    reasonText({ state, problem });
  expect(reason('failing', 'timeout')).toBe('The provider failed');
  expect(reason('failing', 'drop')).toBe('The provider’s answers were doubtful');
  expect(reason('failing', 'database')).toBe('The database was away');
  expect(reason('lost', 'database')).toBe('The database was away');
  expect(reason('lost', 'refused')).toBe('The database refused the data');
  expect(reason('lost', 'file')).toBe('The file of these hours cannot be read');
  expect(reason('notRunning')).toBe('Linehaul was not running');
  expect(reason('before')).toBe('The recording had not begun');
});
