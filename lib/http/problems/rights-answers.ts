import 'server-only';
import { toAnswer, toFieldAnswer } from './answer';
import type { Answers } from './answer';

/** What somebody who is signed in may not do, and what cannot be done to users. */
export const RIGHTS_ANSWERS: Answers = {
  RoleNeededError: toAnswer(403, 'Managers only', 'managers-only', 'Only a manager may do that.'),
  ScreenRefusedError: toAnswer(
    403,
    'Not for screens',
    'not-for-screens',
    'A wall screen shows the map of its fleets, and nothing else.',
  ),
  BeyondReachError: toAnswer(
    403,
    'Not yours to give',
    'beyond-reach',
    'You can give only the fleets that you see yourself.',
  ),
  WholeServerError: toAnswer(
    403,
    'Not for managers of some fleets',
    'whole-server',
    'Settings hold for every fleet: only a manager who sees all of them can change one.',
  ),
  FixedSettingError: toAnswer(
    409,
    'Set by the environment',
    'fixed-setting',
    'The server was started with this setting: it can only be changed where it is started.',
  ),
  NoSuchUserError: toAnswer(
    404,
    'No such user',
    'unknown-user',
    'There is no such user or invitation any more.',
  ),
  EmailTakenError: toFieldAnswer(
    'email',
    409,
    'Address taken',
    'email-taken',
    'This e-mail address already has an account or an open invitation.',
  ),
  OwnRightsError: toAnswer(
    409,
    'Your own rights',
    'own-rights',
    'Nobody can change their own role or fleets, or disable themselves. Ask another manager.',
  ),
  OwnSecondFactorError: toAnswer(
    409,
    'Your own second factor',
    'own-second-factor',
    'Remove your own second factor on your account page, with your password.',
  ),
  DemoUsersError: toAnswer(
    409,
    'No users in the demo',
    'demo-has-no-users',
    'The demo asks nobody to sign in. Start Linehaul with ACCOUNTS=required to invite others.',
  ),
};
