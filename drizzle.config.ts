import { defineConfig } from 'drizzle-kit';

/** For `drizzle-kit generate`: the service's tables, or with SCHEMA=linehaul and the condition react-server the application's. */
const folder = process.env.SCHEMA === 'linehaul' ? 'lib/database' : 'service/store';

export default defineConfig({
  dialect: 'postgresql',
  schema: `./${folder}/schema.ts`,
  out: `./${folder}/migrations`,
  schemaFilter: [folder === 'lib/database' ? 'linehaul' : 'tracking'],
});
