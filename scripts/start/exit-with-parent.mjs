/**
 * Preloaded into the web server: when its supervisor is killed, it ends by itself, and so does the database,
 * instead of holding port and data against the next start.
 */
let postgres = Number(process.env.LINEHAUL_POSTGRES_PID);

// A database that was started again is another process.
process.on('message', (message) => {
  if (typeof message?.linehaulPostgresPid === 'number') postgres = message.linehaulPostgresPid;
});

process.on('disconnect', () => {
  try {
    if (postgres > 0) process.kill(postgres, 'SIGINT');
  } finally {
    process.exit(1);
  }
});
