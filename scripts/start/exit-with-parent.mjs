/**
 * Preloaded into the web server: when its supervisor is killed, it ends by itself, and so does the database,
 * instead of holding port and data against the next start.
 */
process.on('disconnect', () => {
  const postgres = Number(process.env.LINEHAUL_POSTGRES_PID);
  try {
    if (postgres > 0) process.kill(postgres, 'SIGINT');
  } finally {
    process.exit(1);
  }
});
