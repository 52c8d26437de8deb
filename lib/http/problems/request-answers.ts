import 'server-only';
import type { TooManyRequestsError } from '../door';
import type { BadParameterError } from '../guards';
import type { BadInputError } from '../read-input';
import { toAnswer, toInputAnswer } from './answer';
import type { Answers } from './answer';

const NO_SUCH_ADDRESS = toAnswer(
  404,
  'No such address',
  'unknown-address',
  'The API has nothing at this address.',
);

/** What is wrong with a request as such, whoever makes it. */
export const REQUEST_ANSWERS: Answers = {
  BadParameterError: ({ message, code }: BadParameterError) =>
    toAnswer(400, 'Malformed address', code, message),
  BadInputError: ({ message, faults }: BadInputError) => toInputAnswer(message, faults),
  InputTooLongError: ({ message }: Error) => toAnswer(413, 'Input too long', 'input-too-long', message),
  UrlTooLongError: toAnswer(
    414,
    'Address too long',
    'url-too-long',
    'No address of this server is that long.',
  ),
  NoSuchRouteError: NO_SUCH_ADDRESS,
  NoSuchAuthRouteError: NO_SUCH_ADDRESS,
  NoMetricsError: NO_SUCH_ADDRESS,
  MetricsRefusedError: toAnswer(
    401,
    'Token needed',
    'metrics-token',
    'The metrics are for who bears their token.',
  ),
  CrossOriginError: toAnswer(
    403,
    'Not from here',
    'cross-origin',
    'Only pages of this server may ask for that.',
  ),
  TooManyRequestsError: ({ retryAfterS }: TooManyRequestsError) =>
    toAnswer(
      429,
      'Too many requests',
      'too-many-requests',
      'This network address asks for more than its share.',
      retryAfterS,
    ),
};
