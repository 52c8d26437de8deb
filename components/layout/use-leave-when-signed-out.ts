import { useLeave } from './leaving';
import { ServerProblemError } from '@/lib/browser/fetch-json';

/** Nobody is signed in any more, not as a manager, or not as this server asks for by now. */
const REFUSALS: readonly (string | undefined)[] = ['sign-in-needed', 'second-factor-needed', 'managers-only'];

/** Leaves a page of managers when the server refuses what it asks for. */
export const useLeaveWhenSignedOut = (error: Error | null): void =>
  useLeave(error instanceof ServerProblemError && REFUSALS.includes(error.problem?.code));
