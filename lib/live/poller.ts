

/** Further than a clock is slewed between two polls. */
const STEP_MS = 5000;

/**
 * Tells when the server's clock was set: by how much it moved, in ms, since the last call, beyond the time that went
 * by on a clock that nobody sets; 0 while it only runs. A machine that slept looks like one whose clock was put forward.
 */
export const createClockWatch = ({ now, elapsed }: { now: () => number; elapsed: () => number }) => {
  let heldMs = now() - elapsed();
  return {
    readStepMs(): number {
      const aheadMs = now() - elapsed();
      const stepMs = aheadMs - heldMs;
      heldMs = aheadMs;
      return Math.abs(stepMs) < STEP_MS ? 0 : stepMs;
    },
  };
};
