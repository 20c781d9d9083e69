# The version of Bun that package.json names.
ARG BUN_VERSION=1.4.5

# The console is built from packages that no server needs.
FROM oven/bun:${BUN_VERSION}-slim AS console
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile --production
COPY src/console src/console
COPY src/app/console/build.ts src/app/console/build.ts
COPY src/runtime/built-folder.ts src/runtime/built-folder.ts
COPY scripts/console.ts scripts/console.ts
RUN bun scripts/console.ts

FROM oven/bun:${BUN_VERSION}-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile --production --omit optional \
  && rm -rf node_modules/typescript node_modules/@typescript node_modules/bun-types node_modules/@types node_modules/.bin \
  && find node_modules -type f \( -name '*.map' -o -name '*.mdx' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && mkdir /data

FROM oven/bun:${BUN_VERSION}-slim AS server
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages --chown=1000:1000 /data /data
COPY --from=console /app/dist/console dist/console
COPY package.json openapi.json LICENSE ./
COPY docs docs
COPY drizzle drizzle
COPY scripts scripts
COPY cli cli
COPY src src
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`)).ok ? 0 : 1)"]
ENTRYPOINT ["bun", "cli/main.ts"]
CMD ["start"]
