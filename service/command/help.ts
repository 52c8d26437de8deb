import type { Command } from './context';

const TYPED = 'npm run service --';

/** The lines of `help`: the commands and how to start. */
export const toOverview = (commands: Record<string, Command>): string[] => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    'Linehaul tracking service: the API, its ingest, and what it keeps.',
    '',
    `  ${TYPED} COMMAND [OPTIONS]`,
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `  ${TYPED} help COMMAND   shows the options of a command`,
    '',
    'From nothing to a fleet that can be read:',
    `  ${TYPED} carriers add 1234567 --name "Prairie Freight"`,
    `  ${TYPED} vehicles import fleet.csv --usdot 1234567`,
    `  ${TYPED} tokens create --usdot 1234567 --name phones     for the devices that report`,
    `  ${TYPED} keys create --usdot 1234567 --name dispatch     for the application that reads`,
    `  ${TYPED} serve`,
    '',
    'DATABASE_URL names the PostgreSQL to use; without it the service starts its own.',
  ];
};

export const toCommandHelp = ({ summary, usage, details }: Command): string[] => [
  `${summary}.`,
  '',
  ...usage.map((form) => `  ${TYPED} ${form}`),
  '',
  ...details,
];

export const toUsage = ({ usage }: Command): string[] => [
  'Usage:',
  ...usage.map((form) => `  ${TYPED} ${form}`),
];
