import 'server-only';
import type { InvalidRecordError } from '@/service/store/errors';
import type { StorageUnavailableError } from '../database-failure';
import { toAnswer, toFieldAnswer, toInputAnswer } from './answer';
import type { Answers } from './answer';

const toRecordWords = (fault: InvalidRecordError['faults'][number] | undefined): string =>
  fault === undefined ? 'The input cannot be used.' : `${fault.field} ${fault.message}.`;

/**
 * What the embedded tracking service refuses, when its vehicles, devices and keys are changed on our pages; and a
 * database that is away, the service's or that of accounts.
 */
export const SERVICE_ANSWERS: Answers = {
  InvalidRecordError: ({ faults }: InvalidRecordError) => toInputAnswer(toRecordWords(faults[0]), faults),
  DeviceTakenError: toFieldAnswer(
    'deviceId',
    409,
    'Device taken',
    'device-taken',
    'Another vehicle has this device id.',
  ),
  VehicleTakenError: ({ message }: Error) =>
    toFieldAnswer('vin', 409, 'Vehicle known', 'vehicle-taken', message),
  NoSuchVehicleError: toAnswer(
    404,
    'No such vehicle',
    'unknown-vehicle',
    'The carrier has no such vehicle any more.',
  ),
  NoSuchCredentialError: toAnswer(
    404,
    'No such key',
    'unknown-credential',
    'It has ended, or there never was one.',
  ),
  NotEmbeddedError: toAnswer(
    404,
    'No service here',
    'not-embedded',
    'This application reads a tracking API elsewhere.',
  ),
  DatabaseUnavailableError: toAnswer(
    503,
    'No database',
    'database-unavailable',
    'The embedded tracking service has no database.',
    5,
  ),
  StorageUnavailableError: ({ isFull }: StorageUnavailableError) =>
    toAnswer(
      503,
      'No database',
      'database-unavailable',
      isFull
        ? 'The disk of this server is full, so nothing can be changed.'
        : 'This server cannot reach its database.',
      5,
    ),
};
