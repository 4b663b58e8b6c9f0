"""What scripts start: PostgreSQL in a folder of its own, and servers of Hearth, over it or over a file."""
import http.client, json, os, re, shutil, signal, subprocess, sys, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = "/usr/lib/postgresql/15/bin"
FORCE = {"If-Match": "*"}


class Host:
    """Where processes run: this machine. What has addresses of its own is another one."""

    def command(self, words):
        return words


def is_root():
    """Whether it is the machine's root, and not that of a namespace, who has no other users."""
    with open("/proc/self/uid_map") as ranges:
        return os.geteuid() == 0 and ranges.read().split()[2] != "1"


def as_nobody(words):
    """A command that is not to take itself for root where that is the root of a namespace."""
    return ["unshare", "--user", "--map-user=65534", *words] if os.geteuid() == 0 and not is_root() else words


class PostgreSQL:
    """A server in a folder and on a socket of its own, with what its own defaults promise of durability."""

    def __init__(self, folder, host=Host(), settings={}):
        self.folder, self.host, self.process = folder, host, None
        self.settings = {"listen_addresses": "", "unix_socket_directories": folder, **settings}
        self.place = f"postgresql://hearth@/hearth?host={folder}"

    @staticmethod
    def as_user(words):
        """It does not run as root: neither as the machine's, nor as that of a namespace of users."""
        if is_root():
            return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *words]
        return as_nobody(words)

    def own(self, folder):
        """Gives a folder to the user that the server runs as."""
        os.makedirs(folder, exist_ok=True)
        if is_root():
            shutil.chown(folder, "postgres", "postgres")

    def run(self, program, *arguments):
        subprocess.run(self.as_user([f"{PROGRAMS}/{program}", *arguments]), check=True, cwd="/", capture_output=True)

    def make(self):
        """A new database, and its server started."""
        self.own(self.folder)
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "hearth", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        self.psql("CREATE DATABASE hearth", "postgres")
        return self

    def start(self):
        settings = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        with open(f"{self.folder}/log", "a") as log:
            self.process = subprocess.Popen(
                self.host.command(self.as_user([f"{PROGRAMS}/postgres", "-D", f"{self.folder}/data", *settings])),
                cwd="/", stdout=log, stderr=log, start_new_session=True)

        def is_ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"PostgreSQL ended with {self.process.returncode}; its log:\n{self.log()}")
            return self.answers()
        until(60, "PostgreSQL is ready", is_ready)

    def answers(self):
        return subprocess.run([f"{PROGRAMS}/pg_isready", "-q", "-h", self.folder]).returncode == 0

    def log(self):
        with open(f"{self.folder}/log", errors="replace") as log:
            return "".join(log.readlines()[-15:])

    def psql(self, sql, database="hearth", timeout=60):
        done = subprocess.run(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "hearth", "-d", database],
            input=sql, check=True, capture_output=True, text=True, timeout=timeout)
        return done.stdout.strip()

    def processes(self):
        """Its processes, the first one first."""
        found = [self.process.pid]
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == found[0]:
                        found.append(int(name))
            except (OSError, IndexError):
                pass
        return found

    def send(self, number):
        """Sends a signal to all of its processes, as if the machine had it."""
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        ended = self.processes()
        # The first one would start others in the place of those that are gone.
        os.kill(ended[0], signal.SIGSTOP)
        self.send(signal.SIGKILL)
        self.process.wait()
        until(20, "PostgreSQL is gone", lambda: not any(self.is_there(process) for process in ended))

    @staticmethod
    def is_there(process):
        try:
            # Of the first process of a namespace they are children now.
            os.waitpid(process, os.WNOHANG)
        except ChildProcessError:
            pass
        return os.path.exists(f"/proc/{process}")

    def stop(self, how=signal.SIGINT):
        """SIGINT ends connections (fast), SIGQUIT does not even write what is in memory (immediate)."""
        self.process.send_signal(how)
        self.process.wait(60)

    def end(self):
        if self.process and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


class PgBouncer:
    """A pooler in transaction mode before a server, on a socket of its own."""

    def __init__(self, server, folder):
        self.folder, self.place = folder, f"postgresql://hearth@/hearth?host={folder}&port=6432"
        server.own(folder)
        settings = {
            "listen_addr": "", "unix_socket_dir": folder, "listen_port": 6432,
            "auth_type": "trust", "auth_file": f"{folder}/users",
            # Fewer than the nodes have, so that each has another one from transaction to transaction.
            "pool_mode": "transaction", "default_pool_size": 6, "logfile": f"{folder}/log", "pidfile": ""}
        with open(f"{folder}/users", "w") as users, open(f"{folder}/settings", "w") as file:
            users.write('"hearth" ""\n')
            file.write(f"[databases]\nhearth = host={server.folder}\n[pgbouncer]\n")
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        self.process = subprocess.Popen(
            server.as_user(["/usr/sbin/pgbouncer", "-q", f"{folder}/settings"]),
            cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(20, "PgBouncer is ready", lambda: os.path.exists(f"{folder}/.s.PGSQL.6432"))

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Node:
    """One process of Hearth, with a folder of its own for what it has served.

    place: the database, a connection string or a file; listen: where apps poll and where operators work, a free port by
    default; arguments: more words for `hearth serve`; says: what hears each line of its log.
    """

    def __init__(
            self, hearth, place, folder, host=Host(), listen=("127.0.0.1:0", "127.0.0.1:0"), environment={}, says=None,
            arguments=()):
        self.name, self.host, self.folder = os.path.basename(folder), host, folder
        self.words = [hearth, "serve", "--config", f"{ROOT}/config", "--listen", listen[0], "--admin-listen", listen[1],
                      *arguments]
        self.environment = places(place, folder) | environment
        self.addresses, self.says = {}, says or (lambda line: None)
        self.process, self.reader = None, None
        os.makedirs(folder, exist_ok=True)

    def launch(self):
        """Starts the process, and does not wait for it."""
        self.lines, self.serves = [], threading.Event()
        self.process = subprocess.Popen(
            self.host.command(self.words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | self.environment)
        self.reader = threading.Thread(target=self.read, args=(self.process,), daemon=True)
        self.reader.start()

    def start(self):
        started = time.perf_counter()
        self.launch()
        while not self.serves.wait(0.005):
            if self.process.poll() is not None:
                self.reader.join()
                sys.exit(f"{self.name} did not start:\n" + "".join(self.lines))
        self.start_seconds = time.perf_counter() - started
        return self

    def read(self, process):
        for line in process.stdout:
            self.lines.append(line)
            del self.lines[:-2_000]
            if found := re.search(r"address=(\S+).*listener=(\w+)", line):
                self.addresses[found[2]] = found[1]
            if '"serving"' in line:
                self.serves.set()
            self.says(line)

    def ask(self, token, method, path, body=None, fields={}, timeout=30):
        """The status, the fields and the answer of one admin request."""
        head = {"Authorization": f"Bearer {token}", **fields} if token else dict(fields)
        return ask(self.addresses["admin"], method, "/admin/v1" + path, body, head, timeout)

    def metric(self, name):
        found = re.search(rf"^{re.escape(name)} (\S+)$", ask(self.addresses["admin"], "GET", "/metrics")[2], re.M)
        return float(found[1]) if found else 0

    def memory(self, what="VmRSS"):
        """What it holds of the machine's memory, in bytes; `VmHWM` is the most that it ever held."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"{what}:\s+(\d+)", file.read())[1]) * 1024

    def end(self):
        """Ends it as an operator does, and returns its exit status."""
        self.process.terminate()
        return self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client:
    """One kept connection to the admin API as whoever has a token, or to the public listener as nobody."""

    def __init__(self, address, token=None, timeout=120):
        self.connection, self.token = http.client.HTTPConnection(address, timeout=timeout), token

    def __call__(self, method, path, body=None, fields={}):
        """The status, the body and the fields; raises when the connection ends before the answer is whole."""
        head = dict(fields)
        if self.token:
            head["Authorization"], path = f"Bearer {self.token}", "/admin/v1" + path
        if body is not None:
            head["Content-Type"], body = "application/json", json.dumps(body)
        self.connection.request(method, path, body, head)
        response = self.connection.getresponse()
        data = response.read()
        return response.status, json.loads(data) if data else None, response.headers

    def must(self, method, path, body=None, fields={}):
        """The body and the fields of an answer that has to be one."""
        status, answer, head = self(method, path, body, fields)
        assert 200 <= status < 300, (method, path, status, answer)
        return answer, head


def ask(address, method, path, body=None, fields={}, timeout=30):
    """The status, the fields and the decoded body of one answer, over a connection of its own."""
    connection = http.client.HTTPConnection(address, timeout=timeout)
    try:
        head = dict(fields)
        if body is not None:
            head["Content-Type"], body = "application/json", json.dumps(body)
        connection.request(method, path, body, head)
        response = connection.getresponse()
        data = response.read()
        is_json = "json" in response.headers.get("Content-Type", "")
        return response.status, response.headers, json.loads(data) if is_json and data else data.decode()
    finally:
        connection.close()


def must(answer):
    """The body of an answer that has to be one."""
    status, _, body = answer
    assert 200 <= status < 300, (status, body)
    return body


def until(seconds, what, condition):
    """Waits until a condition holds, and returns how long that took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.05)
    return time.monotonic() - start


def places(place, folder):
    """The settings that say where a database is, and where a node of PostgreSQL keeps what it has served."""
    return {"HEARTH_DATABASE": place} | ({} if place.startswith("/") else {"HEARTH_SNAPSHOT_FOLDER": folder})


def run_hearth(hearth, place, folder, *words, environment={}):
    """What a command prints that has to pass."""
    done = subprocess.run([hearth, *words, "--config", f"{ROOT}/config"], capture_output=True, text=True,
                          env=os.environ | places(place, folder) | environment)
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout.strip()


def make_token(hearth, place, folder, name):
    """A token of an admin."""
    return run_hearth(hearth, place, folder, "token", "create", "--name", name, "--role", "admin")


def make_hearth(hearth, place, folder, name):
    """Applies the migrations, and returns an admin's token."""
    run_hearth(hearth, place, folder, "migrate", "up")
    return make_token(hearth, place, folder, name)
