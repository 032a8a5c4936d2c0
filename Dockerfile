# Countersign in an image. `docker build -t countersign .` needs nothing but this folder.
#
# Every path in a RUN line is relative, and nothing in them needs this base image: `npm run proof:image` executes them in
# clean folders, without an engine, and starts what they made.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# --- The pages, built with the development packages
FROM ${NODE_IMAGE} AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY client/src client/src
COPY tools/build-web.ts tools/
RUN node tools/build-web.ts

# --- The packages that run, without the Node that npm would bring: the image has it
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

# --- What is shipped
FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.description="Self-hosted electronic signatures" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /data
RUN chown 1000:1000 . && chmod 0711 .
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY bin bin
COPY db db
COPY src src
COPY client/src client/src
COPY tools/build-web.ts tools/
COPY --from=pages /app/dist/web dist/web
# A container's own address is not this machine's: name the proxy in front in COUNTERSIGN_TRUST_PROXY.
ENV NODE_ENV=production \
    COUNTERSIGN_DATA=/data \
    COUNTERSIGN_HOST=0.0.0.0 \
    COUNTERSIGN_PORT=8080
# The user `node` of the base image, by number, so that orchestrators can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COUNTERSIGN_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/countersign.js"]
CMD ["start"]
