// Loaded before the server: whatever else listens, an unhandled rejection is told in words that the soak looks for.
process.on('unhandledRejection', (reason) => {
  process.stderr.write(`Unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}\n`);
});
