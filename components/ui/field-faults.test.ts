import { describe, expect, test } from 'vitest';
import { ServerProblemError, ServerUnreachableError } from '@/lib/browser/fetch-json';
import { faultWords, otherFaultWords, toFaults } from './field-faults';

const refuse = (faults: { field: string; message: string }[]) =>
  toFaults(
    new ServerProblemError(400, {
      type: 'about:blank',
      title: 'Input that cannot be used',
      status: 400,
      code: 'bad-input',
      detail: 'name: is empty',
      faults,
    }),
  );

describe('what the server found wrong', () => {
  test('stands beside its field as a sentence', () => {
    const faults = refuse([{ field: 'name', message: 'is empty' }]);
    expect(faultWords(faults, 'name')).toBe('Is empty.');
    expect(faultWords(faults, 'names')).toBeNull();
    expect(otherFaultWords(faults, ['name'])).toEqual([]);
  });

  test('with parts of a field is said of the field, each thing once', () => {
    const message = 'A USDOT number has one to eight digits.';
    const faults = refuse([
      { field: 'usdots.0', message },
      { field: 'usdots.2', message },
      { field: 'usdots', message: 'At most 200 USDOT numbers.' },
    ]);
    expect(faultWords(faults, 'usdots')).toBe(`${message} At most 200 USDOT numbers.`);
    expect(faultWords(faults, 'usdot')).toBeNull();
  });

  test('with what no field shows is not lost', () => {
    const faults = refuse([
      { field: 'usdots', message: 'Give at least one USDOT number.' },
      { field: '', message: 'Nothing is to be changed.' },
    ]);
    expect(otherFaultWords(faults, ['name'])).toEqual([
      'Give at least one USDOT number.',
      'Nothing is to be changed.',
    ]);
    expect(otherFaultWords(faults, ['name', 'usdots'])).toEqual(['Nothing is to be changed.']);
  });
});

test('a failure that names no field is told as it is', () => {
  expect(
    otherFaultWords(toFaults(new ServerUnreachableError('The Linehaul server does not answer.')), ['name']),
  ).toEqual(['The Linehaul server does not answer.']);
  const conflict = new ServerProblemError(409, {
    type: 'about:blank',
    title: 'Taken',
    status: 409,
    code: 'taken',
    detail: 'Somebody has that address.',
  });
  expect(otherFaultWords(toFaults(conflict), [])).toEqual(['Somebody has that address.']);
});
