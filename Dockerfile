# Citewire as an image, for linux/amd64 and linux/arm64:
#
#   docker build -t citewire .
#   docker run -p 127.0.0.1:8080:8080 -v citewire:/data --read-only --tmpfs /tmp citewire
#
# No step runs on the architecture of the image, so both are built without emulation:
#   docker buildx build --platform linux/amd64,linux/arm64 -t citewire .

# Debian 13, because its C library (2.41) is the first that the native server loads on with Node 24.
ARG NODE_IMAGE=node:24-trixie-slim

# The package, as `npm pack` makes it: JavaScript, pages, and the SQLite of each platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS pack
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN mkdir /packed && npm pack --silent --pack-destination /packed
RUN tar -xzf /packed/citewire-*.tgz -C /packed

# What it depends on, in the versions of the lock file, with the native server for the architecture of the image.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS install
ARG TARGETARCH=amd64
WORKDIR /app
COPY package.json package-lock.json ./
RUN cpu=$(echo "$TARGETARCH" | sed 's/amd64/x64/') && \
    npm ci --ignore-scripts --omit=dev --os=linux --cpu="$cpu" --libc=glibc --no-audit --no-fund
# One SQLite is in the package, the other is for Node 20.
RUN rm -r node_modules/better-sqlite3 node_modules/better-sqlite3-next
COPY --from=pack /packed/package/ ./
COPY ops/health-check.js ./ops/
RUN mkdir bin && chmod +x dist/src/app/citewire.js && ln -s ../dist/src/app/citewire.js bin/citewire
RUN useradd --uid 10001 --home-dir /data --shell /usr/sbin/nologin citewire && install -d -o citewire -g citewire -m 700 /data

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Citewire" \
      org.opencontainers.image.description="Researches questions and answers them with citations that can be checked." \
      org.opencontainers.image.licenses="Apache-2.0"
# Large blocks, such as the bytes of pages, go back to the system when they are freed: the C library would keep them.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The loop's space for new objects: V8 takes three times 16 MiB or more by itself, which makes nothing faster here.
# One thread for what V8 compiles and collects beside each of ours; four get in their way on two cores.
ENV NODE_OPTIONS="--max-semi-space-size=4 --v8-pool-size=1"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PATH=/app/bin:$PATH
COPY --from=install /etc/passwd /etc/group /etc/
COPY --from=install /app /app
COPY --from=install --chown=10001:10001 /data /data
WORKDIR /data
USER citewire
VOLUME /data
EXPOSE 8080
# Running searches have 30 s to finish: stop with a longer timeout.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/ops/health-check.js"]
ENTRYPOINT ["citewire"]
CMD ["serve"]
