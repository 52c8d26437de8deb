import { useReading } from '../fleet-state/fleet-context';
import { useLeave } from './leaving';

/** Nobody is signed in any more, or this fleet is not to be seen any more. */
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
