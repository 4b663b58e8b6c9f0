"""Fronts that config has examples of, before a node of this machine: Varnish, as a CDN is, and nginx for one node."""
import concurrent.futures, gzip, http.client, os, re, shutil, socket, ssl, subprocess, sys, tempfile, time, unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "scripts/shared.d"))
from ports import free_port
from servers import FORCE, Node, make_hearth, must, run_hearth, until

HEARTH = os.path.abspath(os.environ.get("HEARTH", os.path.join(ROOT, ".build/debug/hearth")))
BOTH = {"Accept-Encoding": "gzip, deflate, br"}


class Answer:
    def __init__(self, response):
        self.status, self.fields, self.body = response.status, response.headers, response.read()

    def __getitem__(self, name):
        return self.fields[name]

    @property
    def revision(self):
        return self["Hearth-Revision"]


class Fronted:
    """What every front lets through: a node with the demo, and what stands before it.

    `front` starts that, and returns its process and its port.

    environment: settings of the node; fields: what every app sends.
    """

    environment, fields, node = {}, {}, None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="hearth-front-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        os.chmod(cls.folder, 0o755)
        cls.database = f"{cls.folder}/hearth.db"
        cls.token = make_hearth(HEARTH, cls.database, cls.folder, "front")
        run_hearth(HEARTH, cls.database, cls.folder, "demo")
        cls.listen = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        cls.start_node()
        cls.addClassCleanup(lambda: cls.node.kill())
        cls.process, cls.port = cls.front(cls.listen[0])
        cls.addClassCleanup(cls.end_front)

        def listens():
            assert cls.process.poll() is None, open(f"{cls.folder}/front.log").read()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", cls.port)) == 0
        until(60, "the front listens", listens)

    @classmethod
    def start_node(cls):
        if cls.node:
            cls.node.process.stdout.close()
        folder = f"{cls.folder}/node"
        cls.node = Node(HEARTH, cls.database, folder, listen=cls.listen, environment=cls.environment).start()

    @classmethod
    def run_front(cls, words):
        with open(f"{cls.folder}/front.log", "w") as log:
            return subprocess.Popen(words, stdout=log, stderr=log)

    @classmethod
    def end_front(cls):
        cls.process.terminate()
        cls.process.wait(20)

    @classmethod
    def connect(cls):
        return http.client.HTTPConnection("127.0.0.1", cls.port, timeout=60)

    def poll(self, path="/v1/home", fields={}, method="GET"):
        connection = self.connect()
        try:
            connection.request(method, path, headers=self.fields | fields)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def second(self):
        """Waits for a second to begin: what a cache has kept of the last one is over."""
        now = int(time.time())
        until(5, "the second is over", lambda: int(time.time()) > now)

    def publish(self):
        """Moves the last section to the top, and returns the revision that has it there."""
        order = must(self.node.ask(self.token, "GET", "/pages/home/order"))["sections"]
        must(self.node.ask(self.token, "POST", f"/pages/home/sections/{order[-1]}/move", {"first": True}, FORCE))
        return f"1.{must(self.node.ask(self.token, 'POST', '/pages/home/publish', {}, FORCE))['revision']}"

    def seen(self, path, fields, expected):
        """The first answer that is as expected."""
        answers = []

        def is_there():
            answers.append(self.poll(path, fields))
            return expected(answers[-1])
        until(30, f"{path} {fields}", is_there)
        return answers[-1]

    def answered(self):
        text = http.client.HTTPConnection(self.node.addresses["admin"], timeout=30)
        text.request("GET", "/metrics")
        counts = re.findall(r'^hearth_http_responses_total\{.*listener="public".*\} (\d+)', text.getresponse().read()
                            .decode(), re.M)
        text.close()
        return sum(map(int, counts))

    def test_pages_come_in_the_coding_that_a_client_takes(self):
        self.second()
        plain = self.poll("/v1/home?locale=en")
        self.assertIsNone(plain["Content-Encoding"])
        packed = self.poll("/v1/home?locale=en", {"Accept-Encoding": "gzip"})
        self.assertEqual(packed["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        # gzip stands in until br is made.
        br = self.seen("/v1/home?locale=en", BOTH, lambda answer: answer["Content-Encoding"] == "br")
        self.assertLess(len(br.body), len(packed.body))
        refusing = self.poll("/v1/home?locale=en", {"Accept-Encoding": "br;q=0, gzip"})
        self.assertEqual(refusing["Content-Encoding"], "gzip")
        self.assertEqual({one["ETag"] for one in (plain, packed, br)}, {plain["ETag"]})

    def test_who_holds_a_version_gets_the_changes_and_nobody_else_does(self):
        old = self.seen("/v1/home", {}, lambda answer: answer.status == 200)
        holding = {"A-IM": "hearth-changes", "If-None-Match": old["ETag"]}
        revision = self.publish()
        for accepted, coding in (({}, None), ({"Accept-Encoding": "gzip"}, "gzip"), (BOTH, "br")):
            changes = self.seen("/v1/home", holding | accepted, lambda answer:
                                (answer.status, answer["Content-Encoding"]) == (226, coding))
            self.assertEqual((changes["Delta-Base"], changes.revision), (old["ETag"], revision))
        self.second()
        new = self.poll("/v1/home")
        self.assertEqual((new.status, new.revision, new["ETag"]), (200, revision, changes["ETag"]))
        for fields in ({}, {"If-None-Match": old["ETag"]}, {"A-IM": "hearth-changes"}):
            for _ in range(2):
                self.assertEqual(self.poll("/v1/home", fields).status, 200)
        for fields in ({}, {"A-IM": "hearth-changes"}):
            answer = self.poll("/v1/home", fields | {"If-None-Match": new["ETag"]})
            self.assertEqual((answer.status, answer.body, answer.revision), (304, b"", revision))

    def test_a_poll_waits_until_there_is_something_new(self):
        self.second()
        old = self.poll("/v1/home")
        waits = {"Prefer": "wait=50", "A-IM": "hearth-changes", "If-None-Match": old["ETag"]}
        metric = 'hearth_http_waiting{listener="public"}'
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(self.poll, "/v1/home", waits) for _ in range(4)]
            until(30, "they wait", lambda: self.node.metric(metric) == 4)
            revision = self.publish()
            self.assertEqual({(one.result().status, one.result().revision) for one in waiting}, {(226, revision)})

    def test_clients_get_their_own_language(self):
        for _ in range(2):
            for fields, path, locale in (({"Accept-Language": "en"}, "/v1/home", "en"),
                                         ({"Accept-Language": "zh-Hans"}, "/v1/home", "zh-Hans"),
                                         ({"Accept-Language": "zh-Hans"}, "/v1/home?locale=en", "en")):
                self.assertIn(f'"locale":"{locale}"', self.poll(path, fields).body.decode(), (fields, path))


class OneNodeTest(Fronted, unittest.TestCase):
    """config/nginx-one-node.conf."""

    @classmethod
    def front(cls, node):
        port = free_port()
        with open(f"{ROOT}/config/nginx-one-node.conf") as file:
            text = file.read()
        temporary = " ".join(f"{kind}_temp_path {cls.folder}/{kind};" for kind in
                             ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        for word, other in {"/run/nginx.pid": f"{cls.folder}/pid", "/var/log/nginx/error.log": f"{cls.folder}/log",
                            "/etc/ssl/hearth": cls.folder, "listen 443": f"listen 127.0.0.1:{port}",
                            "127.0.0.1:8080": node, "access_log off;": f"access_log off; {temporary}"}.items():
            assert word in text, word
            text = text.replace(word, other)
        with open(f"{cls.folder}/nginx.conf", "w") as file:
            file.write(text)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-days", "1", "-subj", "/CN=home.example.com",
                        "-keyout", f"{cls.folder}/key.pem", "-out", f"{cls.folder}/certificate.pem"],
                       check=True, capture_output=True)
        words = ["nginx", "-e", f"{cls.folder}/log", "-c", f"{cls.folder}/nginx.conf", "-g", "daemon off;"]
        return cls.run_front(words), port

    @classmethod
    def connect(cls):
        trusted = ssl.create_default_context(cafile=f"{cls.folder}/certificate.pem")
        trusted.check_hostname = False
        return http.client.HTTPSConnection("127.0.0.1", cls.port, timeout=60, context=trusted)

    def test_it_is_short(self):
        with open(f"{ROOT}/config/nginx-one-node.conf") as file:
            self.assertLessEqual(len(file.readlines()), 40)

    def test_it_speaks_http_2(self):
        done = subprocess.run(["curl", "-sk", "--http2", "-o", "/dev/null", "-w", "%{http_version} %{http_code}",
                               f"https://127.0.0.1:{self.port}/v1/home"], capture_output=True, text=True)
        self.assertEqual(done.stdout, "2 200")

    def test_a_node_that_starts_again_is_used_at_once(self):
        self.node.kill()
        self.assertEqual(self.poll("/v1/home").status, 502)
        self.start_node()
        self.assertEqual(self.poll("/v1/home").status, 200)


class VarnishTest(Fronted, unittest.TestCase):
    """config/varnish.vcl, for apps that show a key."""

    environment, fields = {"HEARTH_PUBLIC_CLIENT_KEY": "open sesame"}, {"Hearth-Client-Key": "open sesame"}

    @classmethod
    def front(cls, node):
        port = free_port()
        with open(f"{ROOT}/config/varnish.vcl") as file:
            text = file.read()
        host, _, of_node = node.partition(":")
        for word, other in {'"127.0.0.1"': f'"{host}"', '"8080"': f'"{of_node}"'}.items():
            assert word in text, word
            text = text.replace(word, other)
        with open(f"{cls.folder}/hearth.vcl", "w") as file:
            file.write(text)
        # As its first lines say.
        words, = re.findall(r"^#   varnishd -a :80 -f /etc/varnish/hearth.vcl (.*)$", text, re.M)
        # It makes a user of its own where it is root, who has to get at the folder.
        words = ["/usr/sbin/varnishd", "-F", "-n", f"{cls.folder}/varnish", "-a", f"127.0.0.1:{port}", "-f",
                 f"{cls.folder}/hearth.vcl", *words.split()]
        return cls.run_front(words), port

    def test_many_polls_of_a_second_ask_the_node_once(self):
        old = self.poll("/v1/home?locale=en", BOTH)
        self.publish()
        new = self.seen("/v1/home?locale=en", BOTH, lambda answer: answer["ETag"] != old["ETag"]
                        and answer["Content-Encoding"] == "br")
        for fields, expected in (({}, 200), ({"If-None-Match": new["ETag"]}, 304),
                                 ({"If-None-Match": new["ETag"], "A-IM": "hearth-changes"}, 304)):
            before, began = self.answered(), int(time.time())
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                answers = list(pool.map(lambda _: self.poll("/v1/home?locale=en", BOTH | fields), range(200)))
            self.assertEqual({one.status for one in answers}, {expected})
            # Whether Hearth is well is asked once a second beside.
            self.assertLessEqual(self.answered() - before, 2 * (int(time.time()) - began + 1), fields)

    def test_nothing_that_a_stranger_makes_up_makes_another_answer(self):
        made = [{}, {"User-Agent": "x"}, {"Cookie": "a=b"}, {"Authorization": "Basic eDp4"}, {"X-Known": "1"},
                {"Range": "bytes=0-9"}, {"Accept-Encoding": "zstd"}, {"A-IM": "hearth-changes"}, {"Prefer": "wait=30"},
                {"If-None-Match": '"stranger"'}, {"Accept-Signature": "sig1=()"}, {"Host": "stranger.example.com"}]
        before, began = self.answered(), int(time.time())
        self.assertEqual({self.poll("/v1/home?made=up", fields).status for fields in made}, {200})
        self.assertLessEqual(self.answered() - before, 2 * (int(time.time()) - began + 1))

    def test_no_client_goes_back_and_no_cache_asks_the_node(self):
        shown = ""
        for _ in range(4):
            revision = self.publish()
            anew = self.poll("/v1/home?locale=vi", {"Cache-Control": "no-cache"})
            self.assertEqual(anew.revision, revision)
            # It has taken the place of what was kept.
            self.assertEqual(self.poll("/v1/home?locale=vi").revision, revision)
            self.assertNotEqual(shown, revision)
            shown = revision

    def test_nobody_without_the_key_gets_what_is_kept_for_others(self):
        for key in ("", "open", "open  sesame"):
            self.assertEqual(self.poll("/v1/home").status, 200)
            self.assertEqual(self.poll("/v1/home", {"Hearth-Client-Key": key}).status, 401)

    def test_what_is_meant_for_one_person_is_not_kept(self):
        link = must(self.node.ask(self.token, "POST", "/pages/home/previews", {"name": "mine"}))
        first, second = [self.poll(f"/v1/home?preview={link['token']}") for _ in range(2)]
        self.assertEqual((first.status, first["Age"]), (200, second["Age"]))
        self.assertIn("no-store", first["Cache-Control"])

    def test_what_was_known_is_served_while_the_node_is_gone(self):
        self.second()
        last = self.poll("/v1/home?locale=en", BOTH)
        old = {"If-None-Match": 'W/"0123456789abcdef"', "A-IM": "hearth-changes"}
        self.node.kill()
        try:
            self.second()
            for _ in range(3):
                known = self.poll("/v1/home?locale=en", BOTH)
                self.assertEqual((known.status, known.body, known.revision), (200, last.body, last.revision))
                # Changes are not known: the page is. Who waits is answered at once.
                for more in ({}, {"Prefer": "wait=30"}):
                    self.assertEqual(self.poll("/v1/home?locale=en", BOTH | old | more).body, last.body)
                held = {"If-None-Match": last["ETag"]}
                self.assertEqual(self.poll("/v1/home?locale=en", BOTH | held).status, 304)
                self.second()
            self.assertEqual(self.poll("/v1/home?nobody=asked").status, 503)
            self.assertEqual(self.poll("/readyz").status, 503)
        finally:
            self.start_node()
        until(30, "Varnish sees it", lambda: self.poll("/readyz").status == 200)
        revision = self.publish()
        self.seen("/v1/home?locale=en", BOTH, lambda answer: answer.revision == revision)


if __name__ == "__main__":
    unittest.main()
