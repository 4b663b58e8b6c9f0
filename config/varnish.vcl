# Varnish before Hearth, as an example of a CDN. The tests run this file. docs/cdn.md says what matters in it.
#
#   varnishd -a :80 -f /etc/varnish/hearth.vcl -s malloc,256m -p http_gzip_support=off
#
# Without the last words Varnish would take br away, and pack pages by itself.
vcl 4.1;

import std;

backend hearth {
  .host = "127.0.0.1";
  .port = "8080";
  .connect_timeout = 2s;
  # Longer than the longest wait (public.waitSecondsMax).
  .first_byte_timeout = 75s;
  .between_bytes_timeout = 10s;
  .probe = {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 2s;
    .window = 4;
    .threshold = 2;
    .initial = 2;
  }
}

sub vcl_recv {
  # Each field that selects an answer, in as few forms as there are answers. What is not here selects nothing.
  if (req.restarts == 0) {
    unset req.http.X-Known;
    unset req.http.Cookie;
    unset req.http.Authorization;
    unset req.http.Range;
    if (req.http.Accept-Encoding ~ "(?i)(^|[\s,])br\s*(;|,|$)"
      && req.http.Accept-Encoding !~ "(?i)br\s*;\s*q=0(\.0*)?\s*(,|$)") {
      set req.http.X-br = "br";
    } else {
      unset req.http.X-br;
    }
    if (req.http.Accept-Encoding ~ "(?i)gzip"
      && req.http.Accept-Encoding !~ "(?i)gzip\s*;\s*q=0(\.0*)?\s*(,|$)") {
      set req.http.Accept-Encoding = regsub(req.http.X-br + ", gzip", "^, ", "");
    } elsif (req.http.X-br) {
      set req.http.Accept-Encoding = "br";
    } else {
      unset req.http.Accept-Encoding;
    }
    unset req.http.X-br;
    if (req.url ~ "[?&]locale=[^&]") {
      unset req.http.Accept-Language;
    }
    if (req.http.Accept-Signature
      !~ {"^sig1=\("unencoded-digest" "hearth-revision"\);created;expires;keyid;alg="ed25519"$"}) {
      unset req.http.Accept-Signature;
    }
    # A client takes changes since a version, or waits for one, by one tag of ours.
    if (req.http.If-None-Match ~ {"^(W/)?"[0-9a-f]{16}"$"}) {
      set req.http.If-None-Match = regsub(req.http.If-None-Match, "^(W/)?", "W/");
      if (req.http.A-IM !~ "(?i)^hearth-changes") {
        unset req.http.A-IM;
      }
      if (req.http.Prefer ~ {"(?i)(^|[\s,])wait\s*=\s*"?[1-9]"}) {
        return (pass);
      }
    } else {
      unset req.http.A-IM;
    }
    unset req.http.Prefer;
    # It was handed something older than what it holds, and asks past caches.
    set req.hash_always_miss = req.http.Cache-Control ~ "(?i)no-cache";
  } else {
    set req.hash_always_miss = false;
  }
  # What is meant for one person alone, and whether Hearth is well.
  if (req.url ~ "[?&]preview=" || req.url ~ "^/(healthz|readyz)") {
    return (pass);
  }
  # What is over counts only where Hearth does not answer (stale-if-error).
  if (req.http.X-Known || !std.healthy(req.backend_hint)) {
    set req.grace = 1d;
  } else {
    set req.grace = 0s;
  }
  if (req.method == "GET" || req.method == "HEAD") {
    return (hash);
  }
}

# The path and the query, and the key that apps show. By the rest, Hearth's Vary tells answers apart.
sub vcl_hash {
  hash_data(req.url);
  hash_data(req.http.Hearth-Client-Key);
  return (lookup);
}

# Whoever holds the page that is kept gets a 304 from here. Whoever holds another one asks Hearth for the changes: a 226
# says no-store, and is nobody else's.
sub vcl_hit {
  if (req.http.A-IM && obj.http.ETag != req.http.If-None-Match
    && !req.http.X-Known && std.healthy(req.backend_hint)) {
    return (pass);
  }
}

sub vcl_backend_fetch {
  # What is kept is a whole page. It is asked for anew and not compared: its tag is that of all its codings, so that
  # gzip, which stands in until br is made, would be confirmed and stay for ever.
  if (!bereq.uncacheable) {
    unset bereq.http.A-IM;
    unset bereq.http.If-None-Match;
  }
}

sub vcl_backend_response {
  if (beresp.status >= 500) {
    if (bereq.is_bgfetch) {
      return (abandon);
    }
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    return (deliver);
  }
  # Where polls need a key, Hearth says private for other caches; here the key is part of what is kept.
  if (bereq.uncacheable || beresp.http.Cache-Control ~ "(?i)no-store") {
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  # A page ends with its second, and earlier where max-age says so: publishes are seen within a second, and flips at
  # theirs. A picture is the same for ever.
  if (bereq.url !~ "^/v1/assets/") {
    set beresp.http.X-Left = 1.0 - (std.time2real(now, 0.0)
      - std.real(integer = std.time2integer(now, 0), fallback = 0.0));
    if (beresp.ttl > std.duration(beresp.http.X-Left + "s", 0s)) {
      set beresp.ttl = std.duration(beresp.http.X-Left + "s", 0s);
    }
    unset beresp.http.X-Left;
  }
  set beresp.grace = 1d;
  return (deliver);
}

sub vcl_backend_error {
  if (bereq.is_bgfetch) {
    return (abandon);
  }
}

sub vcl_deliver {
  if (req.restarts < 3 && !req.http.X-Known) {
    # Once more: what was known will do.
    if (resp.status >= 500 && req.url !~ "^/(healthz|readyz)") {
      set req.http.X-Known = "1";
      return (restart);
    }
    # The page is kept now, and whoever holds an older one can have the changes.
    if (req.http.A-IM && resp.status == 200 && !obj.uncacheable && obj.hits == 0
      && resp.http.ETag != req.http.If-None-Match) {
      return (restart);
    }
  }
}
