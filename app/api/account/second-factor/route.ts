import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { appCodeSchema, passwordAgainSchema } from '@/lib/profile/schema';

export const dynamic = 'force-dynamic';

/** Begins to set up a second factor: answers what the QR code says, and the recovery codes, this once. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.startSecondFactor(await readInput(request, passwordAgainSchema), client),
  { access: 'account' },
);

/** A code of the app: from here on one is asked for at every sign-in. */
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
