import { defineConfig } from 'drizzle-kit';

const PARTS = {
  tracking: { schema: './service/store/schema.ts', out: './service/store/migrations' },
  linehaul: { schema: './lib/**/tables.ts', out: './lib/database/migrations' },
};

/** For `drizzle-kit generate`: the service's tables, or with SCHEMA=linehaul and the condition react-server the application's. */
const name = process.env.SCHEMA === 'linehaul' ? 'linehaul' : 'tracking';

export default defineConfig({ dialect: 'postgresql', schemaFilter: [name], ...PARTS[name] });
