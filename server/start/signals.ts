const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted by the first signal that asks us to end. Later ones change nothing: a Ctrl-C reaches us from the
 * terminal and once more from npm, and what is being ended must not be cut short.
 */
export const watchSignals = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => controller.abort());
  return controller.signal;
};

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
