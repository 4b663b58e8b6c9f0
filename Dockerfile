# Builds Hearth with the Swift standard library inside, and puts the one binary on a small Debian.
FROM swift:6.2-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsqlite3-dev zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /hearth
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY migrations migrations
COPY docs/openapi.yaml docs/openapi.yaml
RUN swift build -c release --product hearth --static-swift-stdlib \
  && mkdir /out \
  && bin="$(swift build -c release --show-bin-path)" \
  && cp "$bin/hearth" /out/ \
  && cp -r "$bin"/*.resources /out/

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsqlite3-0 zlib1g ca-certificates tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /var/lib/hearth --create-home hearth
COPY --from=build /out/ /usr/local/bin/
COPY config /etc/hearth
ENV HEARTH_CONFIG=/etc/hearth \
  HEARTH_DATABASE=/var/lib/hearth/hearth.db \
  HEARTH_PUBLIC_LISTEN=0.0.0.0:8080 \
  HEARTH_ADMIN_LISTEN=0.0.0.0:8081
USER hearth
VOLUME /var/lib/hearth
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["hearth", "health"]
ENTRYPOINT ["hearth"]
CMD ["serve"]
