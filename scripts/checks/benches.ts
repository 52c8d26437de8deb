import { NO_TESTS } from './counts';
import type { Counts } from './counts';
import { runProgram } from './run';

const BENCHES = [
  'wire.ts',
  'ingest/main.ts',
  'server/main.ts',
  'map/main.ts',
  'soak/main.ts',
  'truth/main.ts',
];

/** Runs every bench small, so that none of them breaks unseen; each counts as one test, and no figure is judged. */
export const runSmallBenches = async (root: string): Promise<Counts> => {
  console.log('\nBenches, small');
  const counts: Counts = { ...NO_TESTS, failures: [] };
  for (const bench of BENCHES) {
    const startedAt = performance.now();
    const program = ['tsx', '--conditions=react-server', `bench/${bench}`, '--smoke'];
    const { exitCode, output } = await runProgram(root, program);
    const isSound = exitCode === 0;
    if (isSound) counts.passed++;
    else counts.failures.push(`bench/${bench}`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${isSound ? '✓' : '✗'} bench/${bench} (${seconds} s)${isSound ? '' : `\n\n${output.trim()}\n`}`,
    );
  }
  return counts;
};
