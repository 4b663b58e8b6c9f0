"""config/nginx.conf, made to run beside others in a folder of its own."""
import pathlib, subprocess

ROOT = pathlib.Path(__file__).parent.parent.parent


def configure(folder, listen, inner, nodes, more={}):
    """Writes nginx.conf with a certificate into a folder, and returns the command that runs it.

    listen: what follows `listen`; inner: the address that the second server has; nodes: addresses of the nodes.
    """
    text = (ROOT / "config/nginx.conf").read_text()
    node = "server 127.0.0.1:8080 max_fails=2 fail_timeout=10s;"
    for word, replacement in {
        "/run/nginx.pid": f"{folder}/pid", "/var/log/nginx/error.log": f"{folder}/log", "/var/cache/nginx": str(folder),
        "/etc/ssl/hearth": str(folder), "listen 443 ssl http2;": f"listen {listen};",
        node: " ".join(node.replace("127.0.0.1:8080", address) for address in nodes), "127.0.0.1:8079": inner, **more,
    }.items():
        assert word in text, f"config/nginx.conf has no {word}"
        text = text.replace(word, replacement)
    pathlib.Path(folder, "nginx.conf").write_text(text)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "1", "-subj", "/CN=home.example.com",
                    "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
                   check=True, capture_output=True)
    return ["nginx", "-e", f"{folder}/log", "-c", f"{folder}/nginx.conf", "-g", "daemon off;"]
