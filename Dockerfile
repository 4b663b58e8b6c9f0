# Builds Hearth with the Swift standard library inside, and puts the one binary on a small Debian. scripts/test-image
# builds it, runs it and looks at it. docs/install.md says how to use it.
FROM swift:6.2-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsqlite3-dev zlib1g-dev libbrotli-dev esbuild \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /hearth
COPY Package.swift ./
COPY Sources Sources
COPY migrations migrations
COPY clients/typescript clients/typescript
COPY docs/openapi.yaml docs/openapi.yaml
COPY config config
# The history stays outside: --build-arg HEARTH_COMMIT="$(git rev-parse --short=12 HEAD)" tells the commit.
ARG HEARTH_COMMIT=
RUN swift build -c release --product hearth --static-swift-stdlib \
  && mkdir /out \
  && bin="$(swift build -c release --show-bin-path)" \
  && strip -o /out/hearth "$bin/hearth" \
  && cp -r "$bin"/*.resources /out/

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Hearth" \
  org.opencontainers.image.description="The backend of an app's home screen" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0"
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsqlite3-0 zlib1g libbrotli1 libpq5 libcurl4 ca-certificates tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /var/lib/hearth --create-home hearth \
  && ln -s /opt/hearth/hearth /usr/local/bin/hearth
COPY --from=build /out/ /opt/hearth/
COPY config/hearth.yaml config/kinds.yaml /etc/hearth/
COPY config/demo /etc/hearth/demo
# Pages that are kept ready lie on huge pages: a poll of one of ten thousand is found sooner.
ENV GLIBC_TUNABLES=glibc.malloc.hugetlb=1
# What is in flight has 7 seconds after SIGTERM: `docker stop` kills after 10.
ENV HEARTH_DATABASE=/var/lib/hearth/hearth.db \
  HEARTH_PUBLIC_LISTEN=0.0.0.0:8080 \
  HEARTH_ADMIN_LISTEN=0.0.0.0:8081 \
  HEARTH_DRAIN_GRACE=7
# A number, so that an orchestrator can see that it is not root.
USER 10001
WORKDIR /var/lib/hearth
VOLUME /var/lib/hearth
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["hearth", "health"]
ENTRYPOINT ["hearth"]
# On an empty volume it makes the database; where there is something else but no database it refuses.
CMD ["serve", "--create"]
