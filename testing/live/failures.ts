import type { Fault } from '@/testing/tracking/faults';
import type { ProblemKind } from '@/lib/wire/fleet';

/** A fault that leaves no usable answer, and its expected messages. */
export interface Failure {
  fault: Fault;
  kind: ProblemKind;
  /** For a dispatcher, and for an engineer. */
  message: string;
  detail: RegExp;
}

/** For a feed with the limits of setUpFaultyFeed. */
export const FAILURES: Failure[] = [
  {
    fault: 'hangsBeforeHeaders',
    kind: 'timeout',
    message: 'The tracking provider does not answer in time.',
    detail: /TrackingError \[timeout\]: .*: no headers within 250 ms\.$/,
  },
  {
    fault: 'hangsInBody',
    kind: 'timeout',
    message: 'The tracking provider does not answer in time.',
    detail: /TrackingError \[timeout\]: .*: no complete answer within 800 ms\.$/,
  },
  {
    fault: 'dripsSlowly',
    kind: 'timeout',
    message: 'The tracking provider does not answer in time.',
    detail: /no complete answer within 800 ms/,
  },
  {
    fault: 'resetsAtOnce',
    kind: 'network',
    message: 'The tracking provider cannot be reached.',
    detail: /could not be reached\. \((ECONNRESET|UND_ERR_SOCKET)/,
  },
  {
    fault: 'resetsMidway',
    kind: 'network',
    message: "The tracking provider's answer broke off.",
    detail: /the answer broke off after \d{3,} characters\. \((ECONNRESET|UND_ERR_SOCKET)/,
  },
  {
    fault: 'unauthorized',
    kind: 'auth',
    message: "The tracking provider refuses this server's credentials.",
    detail: /TrackingError \[unauthorized\]: .*\(401\)/,
  },
  {
    fault: 'forbidden',
    kind: 'auth',
    message: 'The tracking provider does not let this server see this fleet.',
    detail: /TrackingError \[forbidden\]: .*\(403\)/,
  },
  {
    fault: 'notFound',
    kind: 'status',
    message: 'The tracking provider does not know this fleet.',
    detail: /TrackingError \[notFound\]: .*: not found/,
  },
  {
    fault: 'tooMany',
    kind: 'rateLimit',
    message: 'The tracking provider asks for fewer requests.',
    detail: /status 429\.$/,
  },
  {
    fault: 'tooManyForSeconds',
    kind: 'rateLimit',
    message: 'The tracking provider asks for fewer requests.',
    detail: /status 429, retry after 3 s/,
  },
  {
    fault: 'tooManyUntilDate',
    kind: 'rateLimit',
    message: 'The tracking provider asks for fewer requests.',
    detail: /status 429, retry after 120 s/,
  },
  {
    fault: 'tooManyForADay',
    kind: 'rateLimit',
    message: 'The tracking provider asks for fewer requests.',
    detail: /status 429, retry after 86400 s/,
  },
  {
    fault: 'serverError',
    kind: 'status',
    message: 'The tracking provider has a fault of its own (status 500).',
    detail: /status 500/,
  },
  {
    fault: 'badGateway',
    kind: 'status',
    message: 'The tracking provider has a fault of its own (status 502).',
    detail: /status 502/,
  },
  {
    fault: 'redirects',
    kind: 'redirect',
    message: "The tracking provider points to another address, where this server's credentials are not sent.",
    detail: /TrackingError \[redirect\]: .*redirect \(307\), which is not followed/,
  },
  {
    fault: 'loginPage',
    kind: 'shape',
    message: 'The tracking provider answers in a form that cannot be read.',
    detail: /got \d+ characters \(text\/html\) when JSON is expected/,
  },
  {
    fault: 'emptyBody',
    kind: 'empty',
    message: "The tracking provider's answer is empty.",
    detail: /TrackingError \[empty\]: .*an empty body when JSON is expected/,
  },
  {
    fault: 'truncated',
    kind: 'shape',
    message: 'The tracking provider answers in a form that cannot be read.',
    detail: /got \d{3,} characters \(application\/json\) when JSON is expected/,
  },
  {
    fault: 'wrongShape',
    kind: 'shape',
    message: 'The tracking provider answers in a form that cannot be read.',
    detail: /got an object of "data" when an object with a list of units is expected/,
  },
  {
    fault: 'errorInside',
    kind: 'errorInside',
    message: 'The tracking provider reports an error instead of trucks.',
    detail: /an error inside a success: "The fleet store is down\."/,
  },
  {
    fault: 'allBadUnits',
    kind: 'unusable',
    message: 'Nothing that the tracking provider sends can be read as a truck.',
    detail: /got 20 records, none of which is a unit \(units\[0\]: left out, null is not a unit\)/,
  },
  {
    fault: 'nullEverywhere',
    kind: 'unusable',
    message: 'Nothing that the tracking provider sends can be read as a truck.',
    detail: /got 20 records, none of which is a unit/,
  },
  {
    fault: 'longAnswer',
    kind: 'tooLong',
    message: "The tracking provider's answer is longer than this server reads.",
    detail: /got more than the 1048576 bytes that are read/,
  },
  {
    fault: 'neverEnds',
    kind: 'tooLong',
    message: "The tracking provider's answer is longer than this server reads.",
    detail: /got more than the 1048576 bytes that are read/,
  },
  {
    fault: 'twoLists',
    kind: 'shape',
    message: 'The tracking provider answers in a form that cannot be read.',
    detail: /TrackingError \[shape\]/,
  },
  {
    fault: 'saysOtherUsdot',
    kind: 'mismatch',
    message: 'The tracking provider answers for another fleet than this one.',
    detail: /got the units of USDOT 9999999 when those of 9100001 are expected/,
  },
  {
    fault: 'repeatsSecretsInError',
    kind: 'errorInside',
    message: 'The tracking provider reports an error instead of trucks.',
    detail: /an error inside a success/,
  },
  {
    fault: 'repeatsSecretsInPage',
    kind: 'status',
    message: 'The tracking provider has a fault of its own (status 500).',
    detail: /status 500\.$/,
  },
];
