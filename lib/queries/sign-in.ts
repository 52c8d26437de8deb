import { z } from 'zod';
import type { SetUp, SignIn } from '@/lib/wire/sign-in';
import { sendJson } from './send-json';

const signedInSchema = z.object({ needsSecondFactor: z.boolean() });

/** Signs in by password. @throws ServerUnreachableError, ServerProblemError */
export const signIn = async (input: SignIn): Promise<z.infer<typeof signedInSchema>> =>
  signedInSchema.parse(await (await sendJson('POST', '/api/auth/sign-in/email', input)).json());

/** Ends the session of this browser. @throws ServerUnreachableError, ServerProblemError */
export const signOut = async (): Promise<void> => {
  await sendJson('POST', '/api/auth/sign-out', {});
};

/** Makes the first manager, and signs in as such. @throws ServerUnreachableError, ServerProblemError */
export const setUp = async (input: SetUp): Promise<void> => {
  await sendJson('POST', '/api/set-up', input);
  await signIn({ email: input.email, password: input.password });
};
