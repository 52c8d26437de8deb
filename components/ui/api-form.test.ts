import { describe, expect, test } from 'vitest';
import { ServerProblemError, ServerUnreachableError } from '@/lib/browser/fetch-json';
import { sortFaults, toFaults } from './api-form';

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

const isOneOf =
  (...fields: string[]) =>
  (path: string): boolean =>
    fields.includes(path);

describe('a fault', () => {
  test('belongs to its field, as a sentence', () => {
    const faults = refuse([{ field: 'name', message: 'is empty' }]);
    expect(sortFaults(faults, isOneOf('name'))).toEqual({ fields: { name: 'Is empty.' }, others: [] });
    expect(sortFaults(faults, isOneOf('names'))).toEqual({ fields: {}, others: ['Is empty.'] });
  });

  test('of a part of a field belongs to the field, and equal messages are shown once', () => {
    const message = 'A USDOT number has one to eight digits.';
    const faults = refuse([
      { field: 'access.usdots.0', message },
      { field: 'access.usdots.2', message },
      { field: 'access.usdots', message: 'At most 200 USDOT numbers.' },
    ]);
    expect(sortFaults(faults, isOneOf('access.usdots'))).toEqual({
      fields: { 'access.usdots': `${message} At most 200 USDOT numbers.` },
      others: [],
    });
    expect(sortFaults(faults, isOneOf('access.usdot')).fields).toEqual({});
  });

  test('without a field on the page is listed with the others', () => {
    const faults = refuse([
      { field: 'usdots', message: 'Give at least one USDOT number.' },
      { field: '', message: 'Nothing is to be changed.' },
    ]);
    expect(sortFaults(faults, isOneOf('name')).others).toEqual([
      'Give at least one USDOT number.',
      'Nothing is to be changed.',
    ]);
    expect(sortFaults(faults, isOneOf('name', 'usdots')).others).toEqual(['Nothing is to be changed.']);
  });
});

test('a failure that names no field is shown with its own message', () => {
  const show = (error: Error) => sortFaults(toFaults(error), isOneOf('name')).others;
  expect(show(new ServerUnreachableError('The Linehaul server does not answer.'))).toEqual([
    'The Linehaul server does not answer.',
  ]);
  const conflict = new ServerProblemError(409, {
    type: 'about:blank',
    title: 'Taken',
    status: 409,
    code: 'taken',
    detail: 'Another user has that address.',
  });
  expect(show(conflict)).toEqual(['Another user has that address.']);
});
