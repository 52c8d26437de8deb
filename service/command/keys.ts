import { createCredentialCommands } from './credentials';
import { runSubcommand } from './subcommands';
import type { Command } from './context';

const subcommands = createCredentialCommands({
  noun: 'API key',
  readAll: ({ keys }, usdot) => keys.list(usdot),
  revoke: ({ keys }, id) => keys.revoke(id),
  async create({ keys }, input) {
    const { id, apiKey, providerToken } = await keys.create(input);
    return {
      id,
      secrets: { apiKey, providerToken },
      lines: [`  x-api-key:      ${apiKey}`, `  provider-token: ${providerToken}`],
    };
  },
});

export const keysCommand: Command = {
  summary: 'Create, list and revoke the API keys of the five endpoints',
  usage: [
    'keys create --usdot USDOT --name NAME [--json]',
    'keys list [--usdot USDOT] [--json]',
    'keys revoke ID',
  ],
  details: [
    'An API key comes with its provider token; every request to the endpoints sends both. Both are shown once.',
    '  --usdot USDOT   the carrier whose fleet the key may read',
    '  --name NAME     what the key is for, to recognise it by',
    '  --json          {"id","usdot","name","apiKey","providerToken"} on one line',
  ],
  run: (argv, context) => runSubcommand({ ...subcommands }, argv, context),
};
