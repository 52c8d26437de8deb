/** An own fleet's server that polls all the time, until it is killed. Argument: the database. Writes a line when it runs. */
import { openOwnServer } from './own-server';

const [databaseUrl] = process.argv.slice(2) as [string];
const server = openOwnServer(databaseUrl, () => Date.now());
process.stdout.write('running\n');
for (;;) await server.poll();
