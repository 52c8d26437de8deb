import { useReading } from '../fleet-state/fleet-context';
import { useLeave } from '../layout/leaving';

/** Codes that mean: not signed in, or not allowed to see this fleet. */
const REFUSALS: readonly (string | null | undefined)[] = [
  'sign-in-needed',
  'second-factor-needed',
  'unknown-fleet',
];

/** Leaves the page when the server refuses its fleet. */
export const useLeaveWhenRefused = (): void => {
  const { failure } = useReading();
  useLeave(REFUSALS.includes(failure?.code));
};
