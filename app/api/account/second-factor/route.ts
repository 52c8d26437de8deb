import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { appCodeSchema, passwordAgainSchema } from '@/lib/profile/schema';

export const dynamic = 'force-dynamic';

/** Starts second-factor setup: returns the QR code's content and the recovery codes, once. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.startSecondFactor(await readInput(request, passwordAgainSchema), client),
  { access: 'account' },
);

/** Confirms a code of the authenticator app; every sign-in requires one from then on. */
export const PUT = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.confirmSecondFactor(await readInput(request, appCodeSchema), client),
  { access: 'account' },
);

export const DELETE = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.removeSecondFactor(await readInput(request, passwordAgainSchema), client),
  { access: 'account' },
);
