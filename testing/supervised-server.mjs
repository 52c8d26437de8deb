/**
 * Stands for the web server in development: a process that hands its work to another of its own, which listens only
 * when it has loaded. Says what that made of "work", then runs on.
 */
import { fork } from 'node:child_process';

if (process.argv[2] === 'worker') {
  setTimeout(() => process.once('message', (work) => process.send(`${work} is done`)), 100);
} else {
  const worker = fork(process.argv[1], ['worker']);
  worker.once('message', (said) => {
    worker.once('exit', () => process.send(said));
    worker.disconnect();
  });
  worker.send('work');
}
