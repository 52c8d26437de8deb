/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Live answers are compressed once a version by lib/live, not once a viewer by the server.
  compress: true,
  serverExternalPackages: ['pg', 'pino'],
  devIndicators: false,
  agentRules: false,
};

export default config;
