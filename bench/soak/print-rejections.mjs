// Loaded before the server: whatever else listens, an unhandled rejection is printed in a form that the soak looks for.
process.on('unhandledRejection', (reason) => {
  process.stderr.write(`Unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}\n`);
});
