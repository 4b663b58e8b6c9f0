"""Signed pages over real sockets, verified by implementations that are not ours: http-message-signatures and
cryptography."""

import base64
import gzip
import hashlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.request import urlopen

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, InvalidSignature, MappingKeyResolver, algorithms

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))
from server import CONFIG, HEARTH, Server, free_port, until  # noqa: E402

# The exact value that docs/protocol.md names.
ACCEPTED = 'sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519"'
PAGE = ["unencoded-digest", "hearth-revision"]
NOT_MODIFIED = ["etag", "hearth-revision"]
KEPT = ("unencoded-digest", "signature-input", "signature")


class Answer:
    """A response as http-message-signatures reads one."""

    def __init__(self, response: http.client.HTTPResponse):
        self.status_code = response.status
        self.fields = response.getheaders()
        self.headers = {name.lower(): value for name, value in self.fields}
        self.body = response.read()
        self.content = gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body

    def replacing(self, **fields: str) -> "Answer":
        other = object.__new__(Answer)
        other.__dict__.update(self.__dict__)
        other.headers = self.headers | {name.replace("_", "-"): value for name, value in fields.items()}
        return other


class Verifier(HTTPMessageVerifier):
    allow_label_only_selection = True


def verify(answer: Answer, key: str, components: list[str], label: str = "sig1") -> dict:
    """Verifies one signature as the RFC says, and that it covers what it must and nothing else."""
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key))
    name = hashlib.sha256(base64.b64decode(key)).hexdigest()[:16]
    verifier = Verifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys={name: public}, private_keys={}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        [result] = verifier.verify(answer, expect_label=label, require_components=components)
    names = [component.strip('"') for component in result.covered_components if "signature-params" not in component]
    assert names == components, names
    assert list(result.parameters) == ["created", "expires", "keyid", "alg"], result.parameters
    if components == PAGE:
        digest = base64.b64encode(hashlib.sha256(answer.content).digest()).decode()
        if answer.status_code == 200:
            assert answer.headers["unencoded-digest"] == f"sha-256=:{digest}:"
    return result.parameters


class SignedServer(Server):
    """A server whose keys are in a folder."""

    def get(self, path: str = "/v1/home", signed: bool = True, method: str = "GET", **fields: str) -> Answer:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if signed:
            headers["Accept-Signature"] = ACCEPTED
        connection = http.client.HTTPConnection("127.0.0.1", self.public, timeout=30)
        connection.request(method, path, headers=headers)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def draft(self) -> tuple[str, list[dict]]:
        """The draft's tag and its sections."""
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=30)
        connection.request("GET", "/admin/v1/pages/home/draft", headers={"Authorization": f"Bearer {self.token}"})
        response = connection.getresponse()
        document = json.loads(response.read())
        connection.close()
        return response.getheader("ETag"), document["sections"]

    def publish(self) -> None:
        tag, sections = self.draft()
        self.api("POST", f"/pages/home/sections/{sections[-1]['id']}/move", {"first": True}, If_Match=tag)
        self.api("POST", "/pages/home/publish", {"message": "moved"}, If_Match=self.draft()[0])

    def signing(self) -> dict:
        with urlopen(f"http://127.0.0.1:{self.admin}/status") as response:
            return json.load(response)["signing"]

    def waiting(self) -> int:
        with urlopen(f"http://127.0.0.1:{self.admin}/metrics") as response:
            line = 'hearth_http_waiting{listener="public"} '
            lines = response.read().decode().splitlines()
            return int(float(next(text for text in lines if text.startswith(line)).split()[1]))

    def reload(self, *keys: str) -> None:
        self.node.process.send_signal(signal.SIGHUP)
        until(lambda: self.signing()["keys"] == list(keys), f"the keys are {keys}")


def keys(*words: str, folder: Path, check: bool = True) -> subprocess.CompletedProcess:
    return subprocess.run(
        [HEARTH, "keys", *words, "--folder", folder], check=check, capture_output=True, text=True)


def create(folder: Path) -> tuple[str, str]:
    """The id and the public key of a new key."""
    name, public = keys("create", folder=folder).stdout.split()
    return name, public


class Signatures(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hearth-signatures-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.keys = self.folder / "keys"

    def server(self, **environment: str) -> SignedServer:
        server = SignedServer(self.folder, {"HEARTH_SIGNING_KEYS_FOLDER": str(self.keys)} | environment)
        self.addCleanup(server.stop)
        return server

    def test_every_answer_of_a_page_is_signed(self):
        name, key = create(self.keys)
        server = self.server()
        # The codings, a head alone, and an outcome of its own, which is signed where it is assembled.
        for path in ["/v1/home", "/v1/pages/discover", "/v1/home?locale=vi", "/v1/home?platform=ios&appVersion=9.9.9"]:
            for coding in ["gzip", "identity"]:
                answer = server.get(path, Accept_Encoding=coding)
                parameters = verify(answer, key, PAGE)
                self.assertEqual(parameters["keyid"], name)
                self.assertLessEqual(parameters["created"], time.time())
                self.assertEqual(parameters["expires"] - parameters["created"], 86_400)
                self.assertIn("Accept-Signature", answer.headers["vary"])
        head = server.get(method="HEAD", Accept_Encoding="identity")
        self.assertEqual(head.headers["unencoded-digest"],
                         server.get(Accept_Encoding="identity").headers["unencoded-digest"])
        # br, once it is made.
        until(lambda: server.get(Accept_Encoding="br").headers.get("content-encoding") == "br", "there is br")
        brotli = server.get(Accept_Encoding="br")
        plain = server.get(Accept_Encoding="identity")
        self.assertEqual(brotli.headers["unencoded-digest"], plain.headers["unencoded-digest"])
        brotli.status_code = 0
        verify(brotli, key, PAGE)

        page = server.get(Accept_Encoding="identity")
        old = server.get(If_None_Match=page.headers["etag"])
        self.assertEqual(old.status_code, 304)
        self.assertNotIn("unencoded-digest", old.headers)
        verify(old, key, NOT_MODIFIED)
        # A wait that ends without a change.
        waited = server.get(If_None_Match=page.headers["etag"], Prefer="wait=1")
        self.assertEqual(waited.status_code, 304)
        verify(waited, key, NOT_MODIFIED)

        # A change set, to a page that the digest is of: for who waits, and for who asks later.
        holding = {"If_None_Match": page.headers["etag"], "A_IM": "hearth-changes", "Accept_Encoding": "identity"}
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(server.get, Prefer="wait=30", **holding)
            until(lambda: server.waiting() == 1, "a client waits")
            server.publish()
            woken = waiting.result()
        self.assertEqual(woken.status_code, 226)
        verify(woken, key, PAGE)
        changes = server.get(**holding)
        self.assertEqual(changes.status_code, 226)
        verify(changes, key, PAGE)
        whole = server.get(Accept_Encoding="identity")
        self.assertEqual(changes.headers["unencoded-digest"], whole.headers["unencoded-digest"])
        self.assertEqual(verify(whole, key, PAGE)["keyid"], name)

        # A 304 of one revision says nothing of another, and a signature of one page nothing of another.
        new = server.get(If_None_Match=whole.headers["etag"])
        verify(new, key, NOT_MODIFIED)
        for forged in [
            new.replacing(signature=old.headers["signature"], signature_input=old.headers["signature-input"]),
            old.replacing(hearth_revision=new.headers["hearth-revision"]),
            old.replacing(etag=new.headers["etag"]),
        ]:
            with self.assertRaises(InvalidSignature):
                verify(forged, key, NOT_MODIFIED)
        other = server.get("/v1/pages/discover", Accept_Encoding="identity")
        with self.assertRaises(InvalidSignature):
            verify(whole.replacing(unencoded_digest=other.headers["unencoded-digest"]), key, PAGE)

        # Nothing else is signed, and nothing when it is asked for by another value or not at all.
        section = json.loads(whole.content)["sections"][0]["id"]
        for path in [f"/v1/pages/home/sections/{section}", "/v1/pages/home/sort-rule", "/v1/pages"]:
            answer = server.get(path)
            self.assertEqual(answer.status_code, 200, path)
            self.assertFalse(set(KEPT) & set(answer.headers), path)
            self.assertNotIn("Accept-Signature", answer.headers.get("vary", ""))
        for value in [ACCEPTED.replace("sig1", "sig2"), "sig1=()", ACCEPTED + ", sig2=()"]:
            self.assertFalse(set(KEPT) & set(server.get(signed=False, Accept_Signature=value).headers), value)
        unsigned = server.get(signed=False)
        self.assertFalse(set(KEPT) & set(unsigned.headers))
        self.assertIn("Accept-Signature", unsigned.headers["vary"])

    def test_without_keys_nothing_changes(self):
        self.keys = ""
        server = self.server()
        for fields in [{}, {"A_IM": "hearth-changes", "If_None_Match": 'W/"0000000000000000"'}]:
            plain, asked = server.get(signed=False, **fields), server.get(**fields)
            cut = [(name, value) for name, value in asked.fields if name != "Date"]
            self.assertEqual(cut, [(name, value) for name, value in plain.fields if name != "Date"])
            self.assertEqual(plain.body, asked.body)
            self.assertEqual(plain.headers["vary"], "Accept-Encoding, Accept-Language")
        self.assertEqual(server.get(signed=False).headers["etag"], 'W/"4fbfc8f71ab24fd0"')

    def test_two_keys_sign_and_a_retired_one_does_not(self):
        old, old_key = create(self.keys)
        server = self.server()
        verify(server.get(), old_key, PAGE)
        # Their order is that of the seconds in which they were made.
        second = int(time.time())
        until(lambda: int(time.time()) > second, "the second ends")
        new, new_key = create(self.keys)
        server.reload(new, old)
        answer = server.get(Accept_Encoding="identity")
        verify(answer, new_key, PAGE, "sig1")
        verify(answer, old_key, PAGE, "sig2")
        unchanged = server.get(If_None_Match=answer.headers["etag"])
        verify(unchanged, new_key, NOT_MODIFIED, "sig1")
        verify(unchanged, old_key, NOT_MODIFIED, "sig2")
        refused = keys("create", folder=self.keys, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("at most 2 sign", refused.stderr)

        keys("retire", old, folder=self.keys)
        server.reload(new)
        for fields in [{}, {"If_None_Match": answer.headers["etag"]}]:
            signed = server.get(**fields)
            self.assertNotIn(old, signed.headers["signature-input"])
            self.assertNotIn("sig2", signed.headers["signature"])
        listed = json.loads(keys("list", "--json", folder=self.keys).stdout)
        self.assertEqual([(key["id"], key["state"]) for key in listed], [(new, "active"), (old, "retired")])
        self.assertEqual(listed[1]["publicKey"], old_key)
        self.assertEqual(keys("retire", old, folder=self.keys, check=False).returncode, 1)
        # The private part is gone.
        self.assertEqual({path.name for path in self.keys.iterdir()}, {f"{new}.key", f"{old}.retired"})
        # After a publish and a rollback as well.
        server.publish()
        verify(server.get(), new_key, PAGE)
        server.api("POST", "/pages/home/rollback", {"revision": 1}, If_Match=server.draft()[0])
        verify(server.get(), new_key, PAGE)

    def test_a_key_that_is_gone_unsigns_nothing(self):
        name, public = create(self.keys)
        server = self.server()
        log = lambda: "".join(server.node.lines)
        aside = self.folder / "aside"
        # The folder is gone, as where a volume was not mounted; then it is there without the key.
        self.keys.rename(aside)
        server.node.process.send_signal(signal.SIGHUP)
        until(lambda: "the signing keys were not reloaded; those before stay" in log(), "the log says so")
        self.keys.mkdir(mode=0o700)
        server.node.process.send_signal(signal.SIGHUP)
        until(lambda: f"{name}.key is gone, and hearth keys retire did not do that" in log(), "the log says so again")
        self.assertEqual(server.signing()["keys"], [name])
        server.publish()
        verify(server.get(), public, PAGE)
        self.keys.rmdir()
        aside.rename(self.keys)
        server.reload(name)

    def test_keys_that_others_may_read_are_refused(self):
        name, _ = create(self.keys)
        file = self.keys / f"{name}.key"
        self.assertEqual(oct(file.stat().st_mode & 0o777), "0o600")
        self.assertEqual(oct(self.keys.stat().st_mode & 0o777), "0o700")
        server = self.server()
        secret = file.read_text().split("private=")[1].strip()
        file.chmod(0o640)
        started = subprocess.run(
            [HEARTH, "serve", "--config", CONFIG, "--database", self.folder / "other.db", "--create",
             "--listen", f"127.0.0.1:{free_port()}", "--admin-listen", f"127.0.0.1:{free_port()}"],
            capture_output=True, text=True, env=os.environ | server.node.environment, timeout=60)
        self.assertEqual(started.returncode, 78, started.stderr)
        self.assertIn("may be read by others", started.stderr)
        self.assertNotIn(secret, started.stderr)
        # The server that runs goes on with the keys that it has.
        server.node.process.send_signal(signal.SIGHUP)
        log = lambda: "".join(server.node.lines)
        until(lambda: "the signing keys were not reloaded" in log(), "the log says so")
        self.assertEqual(server.signing()["keys"], [name])
        self.assertIn("signature", server.get().headers)
        self.assertNotIn(secret, log())
        for words in [["list"], ["create"], ["retire", name]]:
            self.assertEqual(keys(*words, folder=self.keys, check=False).returncode, 78)
        config = subprocess.run(
            [HEARTH, "serve", "--print-config", "--config", CONFIG], capture_output=True, text=True,
            env=os.environ | {"HEARTH_SIGNING_KEYS": secret})
        self.assertIn("(not shown)", config.stdout)
        self.assertNotIn(secret, config.stdout + config.stderr)
        wrong = subprocess.run(
            [HEARTH, "keys", "list", "--config", CONFIG], capture_output=True, text=True,
            env=os.environ | {"HEARTH_SIGNING_KEYS": secret[:-8]})
        self.assertEqual(wrong.returncode, 78)
        self.assertNotIn(secret[:-8], wrong.stdout + wrong.stderr)

    def test_a_key_in_a_variable_signs(self):
        name, key = create(self.keys)
        secret = (self.keys / f"{name}.key").read_text().split("private=")[1].strip()
        folder, self.keys = self.keys, ""
        server = self.server(HEARTH_SIGNING_KEYS=secret)
        verify(server.get(), key, PAGE)
        listed = subprocess.run(
            [HEARTH, "keys", "list", "--config", CONFIG], check=True, capture_output=True, text=True,
            env=os.environ | {"HEARTH_SIGNING_KEYS": secret})
        self.assertEqual(listed.stdout.split(), [name, "active", key])

    def test_signatures_are_renewed_and_max_age_ends_with_them(self):
        _, key = create(self.keys)
        server = self.server(HEARTH_SIGNING_LIFETIME="60")
        settings = server.api("GET", "/pages/home")
        server.api("PUT", "/pages/home", settings | {"pollInterval": 300}, If_Match="*")
        server.api("POST", "/pages/home/publish", {}, If_Match="*")
        first = server.get()
        self.assertIn("max-age=300,", server.get(signed=False).headers["cache-control"])
        begun = verify(first, key, PAGE)
        self.assertEqual(begun["expires"] - begun["created"], 60)

        def other() -> Answer | None:
            answer = server.get(If_None_Match=first.headers["etag"])
            sent = parsedate_to_datetime(answer.headers["date"]).timestamp()
            left = verify(answer, key, NOT_MODIFIED)["expires"] - sent
            age = int(answer.headers["cache-control"].split("max-age=")[1].split(",")[0])
            self.assertIn(left - age, [0, 1])
            answer = server.get()
            return answer if answer.headers["signature-input"] != first.headers["signature-input"] else None

        renewed = until(other, "it is renewed", seconds=50)
        parameters = verify(renewed, key, PAGE)
        self.assertGreaterEqual(parameters["created"] - begun["created"], 30)
        self.assertLessEqual(parameters["created"] - begun["created"], 40)
        self.assertEqual(renewed.headers["unencoded-digest"], first.headers["unencoded-digest"])
        verify(server.get(If_None_Match=renewed.headers["etag"]), key, NOT_MODIFIED)
        # A restart signs anew what is live, from the snapshot as well.
        server.stop()
        server.start()
        again = verify(server.get(), key, PAGE)
        self.assertGreaterEqual(again["created"], parameters["created"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
