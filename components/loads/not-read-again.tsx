import { ProblemNote } from '@/components/ui/problem-note';
import { ServerUnreachableError } from '@/lib/browser/fetch-json';

interface NotReadAgainProps {
  query: { data: unknown; error: Error | null; failureReason: Error | null };
}

/** Why what is shown was not read again; nothing while it was, and without a connection, which has a notice of its own. */
export const NotReadAgain = ({ query: { data, error, failureReason } }: NotReadAgainProps) => {
  const reason = error ?? failureReason;
  if (data === undefined || reason === null || reason instanceof ServerUnreachableError) return null;
  return <ProblemNote role="alert">Not up to date. {reason.message}</ProblemNote>;
};
