import { createCredentialCommands } from './credentials';
import { runSubcommand } from '../subcommands';
import type { Command } from '../context';

const subcommands = createCredentialCommands({
  noun: 'ingest token',
  options: {},
  readAll: ({ ingestTokens }, usdot) => ingestTokens.list(usdot),
  revoke: ({ ingestTokens }, id) => ingestTokens.revoke(id),
  async create({ ingestTokens }, input) {
    const { id, token } = await ingestTokens.create(input);
    return {
      id,
      secrets: { token },
      lines: [
        `  token: ${token}`,
        'Give it to devices as Authorization: Bearer, as the password of Basic authentication, or in the address:',
        `  …/ingest/${token}/osmand   (or traccar, owntracks, overland)`,
      ],
    };
  },
  toState: () => 'in use',
});

export const tokensCommand: Command = {
  summary: 'Create, list and revoke the ingest tokens of devices',
  usage: [
    'tokens create --usdot USDOT --name NAME [--json]',
    'tokens list [--usdot USDOT] [--json]',
    'tokens revoke ID',
  ],
  details: [
    "With an ingest token a device may report positions of its carrier's vehicles, and nothing else.",
    '  --usdot USDOT   the carrier whose vehicles report',
    '  --name NAME     which devices use it, to recognize it by',
    '  --json          {"id","usdot","name","token"} on one line',
  ],
  run: (argv, context) => runSubcommand({ ...subcommands }, argv, context),
};
