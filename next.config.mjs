/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  // TypeScript 7 checks the types, in npm test and npm run check: a build needs not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // server/http/compress.ts compresses every answer of Next.js, and the live path compresses once per version.
  compress: false,
  // No page has a picture to be resized: the server needs neither the route nor a folder to keep results in.
  images: { unoptimized: true },
  serverExternalPackages: ['@duckdb/node-api', 'esbuild', 'pdfkit', 'pg', 'pino', 'prom-client'],
  devIndicators: false,
  // The first map does without half of Leaflet.
  turbopack: { resolveAlias: { leaflet: './components/map/leaflet-core.mjs' } },
  experimental: {
    // A page's code is loaded when it is first opened: all of it would make the start a second longer.
    preloadEntriesOnStart: false,
    // A phone on a slow network waits 0.6 s for each wave of six scripts.
    turbopackChunking: { minChunkSize: 400_000, maxChunkCountPerGroup: 1, requestCost: 1_000_000 },
    // The screens of a fleet have one style sheet between them, because each one delays the first picture.
    cssChunking: { type: 'graph', requestCost: 10_000_000, weightDistribution: 0 },
  },
  // In development the demo's trucks report through the same server, several every second.
  logging: { incomingRequests: { ignore: [/^\/(api|tracking)\//] } },
  agentRules: false,
};

export default config;
