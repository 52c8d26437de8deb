import 'server-only';
import type { AttemptTooSoonError } from '@/lib/live/attempt';
import type { TooManyCallsError } from '../bounded-client';
import { toAnswer } from './answer';
import type { Answers } from './answer';

/** A fleet that one may not see is told like one that there is not. */
const NO_SUCH_FLEET = toAnswer(
  404,
  'No such fleet',
  'unknown-fleet',
  'There is no fleet of that number, or none that you may see.',
);

/** Fleets and units that there are not, and how many this server can keep up with. */
export const FLEET_ANSWERS: Answers = {
  NoSuchFleetError: NO_SUCH_FLEET,
  UnknownCarrierError: NO_SUCH_FLEET,
  UnknownFleetError: NO_SUCH_FLEET,
  NoSuchUnitError: toAnswer(404, 'No such unit', 'unknown-unit', 'The fleet has no unit of that name.'),
  TooManyFleetsError: toAnswer(
    503,
    'Too many fleets',
    'too-many-fleets',
    'This server watches as many fleets as it can.',
    30,
  ),
  AttemptTooSoonError: ({ retryAfterS }: AttemptTooSoonError) =>
    toAnswer(
      429,
      'Tried a moment ago',
      'attempt-too-soon',
      'The tracking provider was requested a moment ago. Wait a few seconds before you try again.',
      retryAfterS,
    ),
  TooManyCallsError: ({ retryAfterS }: TooManyCallsError) =>
    toAnswer(
      503,
      'Too many questions',
      'too-many-calls',
      'Pages ask the tracking API for more than this server lets them.',
      retryAfterS,
    ),
};
