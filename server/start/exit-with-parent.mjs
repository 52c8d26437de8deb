/**
 * Preloaded into the web server: when its supervisor is killed, it ends by itself, and so does the database,
 * instead of holding port and data against the next start.
 */
const followSupervisor = () => {
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
};

// The web server in development starts processes of its own with the same preload: one that listened here would take
// their first messages from them, and ending one of them would end the database.
if (process.env.LINEHAUL_SUPERVISED) {
  delete process.env.LINEHAUL_SUPERVISED;
  followSupervisor();
}
