import { createRoute } from '@/server/route';
import { appCodeSchema, passwordAgainSchema } from '@/lib/profile/schema';

export const POST = createRoute({
  summary: "Starts second-factor setup: returns the QR code's content and the recovery codes, once.",
  access: 'account',
  body: passwordAgainSchema,
  handle: ({ profile, body, client }) => profile.startSecondFactor(body, client),
});

export const PUT = createRoute({
  summary: 'Confirms a code of the authenticator app; every sign-in requires one from then on.',
  access: 'account',
  body: appCodeSchema,
  handle: ({ profile, body, client }) => profile.confirmSecondFactor(body, client),
});

export const DELETE = createRoute({
  summary: "Removes the viewer's own second factor.",
  access: 'account',
  body: passwordAgainSchema,
  handle: ({ profile, body, client }) => profile.removeSecondFactor(body, client),
});
