"""Hosts made of network namespaces: a primary and its standby, three nodes, and the front before them."""
import contextlib, json, os, shutil, signal, struct, subprocess, sys, threading, time

from fronts import configure
from servers import ROOT, Host, Node, PostgreSQL, as_nobody, ask, make_hearth, until

# What joins hosts: the front and the nodes, the nodes and PostgreSQL, PostgreSQL and its standby.
NETWORKS = {"web": "10.77.2", "data": "10.77.1", "copy": "10.77.3"}
RECOVERY = 60  # seconds in which all is well again once a fault is over; the longest is printed


def shell(line):
    done = subprocess.run(["sh", "-ec", line], capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{line}: {done.stderr.strip()}")


def enter_namespaces():
    """Runs this program again in namespaces of its own: when it ends, so does all that it started."""
    if "DRILL_IS_INSIDE" in os.environ:
        return
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    os.environ["DRILL_IS_INSIDE"] = "1"
    os.execvp("unshare", [*words, sys.executable, *sys.argv])


class Namespace(Host):
    """A host with addresses of its own, whose links can be cut: what is sent is lost then, and nobody is told."""

    def __init__(self, name, number, networks):
        self.name, self.links = name, {}
        self.process = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        until(10, "the namespace is there",
              lambda: os.readlink(f"/proc/{self.process.pid}/ns/net") != os.readlink("/proc/self/ns/net"))
        self.enter = ["nsenter", f"--net=/proc/{self.process.pid}/ns/net"]
        inside = " ".join(self.enter)
        shell(f"{inside} ip link set lo up")
        for network in networks:
            link = self.links[network] = f"{name}-{network}"
            shell(f"ip link add {link} type veth peer name {network} netns {self.process.pid}; "
                  f"ip link set {link} master {network} up; "
                  f"{inside} ip address add {self.address(network, number)}/24 dev {network}; "
                  f"{inside} ip link set {network} up")
        self.number = number

    @staticmethod
    def address(network, number):
        return f"{NETWORKS[network]}.{number}"

    def command(self, words):
        return self.enter + words

    def cut(self, network):
        shell(f"ip link set {self.links[network]} nomaster")

    def join(self, network):
        shell(f"ip link set {self.links[network]} master {network}")

    def slow(self, network, rate):
        """All that comes to it by a network comes at a rate, such as 64kbit."""
        shell(f"tc qdisc replace dev {self.links[network]} root tbf rate {rate} burst 4kb latency 5s")

    def fast(self, network):
        shell(f"tc qdisc del dev {self.links[network]} root")


class Disk:
    """A folder that is small, so that it can be filled."""
    all = []

    def __init__(self, folder, size):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        shell(f"mount -t tmpfs -o size={size},mode=755 tmpfs {folder}")
        Disk.all.append(self)

    @classmethod
    def unmount(cls):
        """A folder on which one is mounted cannot be removed."""
        for disk in cls.all:
            subprocess.run(["umount", "--lazy", disk.folder])

    def fill(self):
        subprocess.run(["dd", "if=/dev/zero", f"of={self.folder}/filler", "bs=4096"], capture_output=True)

    def clear(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{self.folder}/filler")


class World:
    def __init__(self, hearth, folder, history, count=3):
        self.hearth, self.folder, self.history, self.patience = hearth, folder, history, RECOVERY
        os.chmod(folder, 0o755)
        shell("ip link set lo up")
        for network, prefix in NETWORKS.items():
            shell(f"ip link add {network} type bridge; ip address add {prefix}.1/24 dev {network}; "
                  f"ip link set {network} up")
        self.primary, self.standby = (self.make_server(name, number) for name, number in (("north", 11), ("south", 12)))
        self.primary.make()
        self.admit(self.primary)
        self.follow()
        hosts = ",".join(server.host.address("data", server.host.number) for server in (self.primary, self.standby))
        self.place = (f"postgresql://hearth@/hearth?host={hosts}&port=5432,5432"
                      "&target_session_attrs=read-write&connect_timeout=2")
        self.token = make_hearth(hearth, self.primary.place, f"{folder}/command", "drill")
        self.clock = self.make_clock()
        self.nodes = [self.make_node(name, 21 + number) for number, name in enumerate("abc"[:count])]
        for node in self.nodes:
            node.start()
        # nginx leaves alone for ten seconds what was not ready twice: nothing is asked through it before all are.
        self.settle()
        self.front = self.make_front()

    # PostgreSQL

    def make_server(self, name, number):
        disk = Disk(f"{self.folder}/{name}", "220m")
        server = PostgreSQL(f"{disk.folder}/server", Namespace(name, number, ["data", "copy"]), {
            "listen_addresses": "*", "port": 5432, "shared_buffers": "16MB", "max_connections": 40,
            "min_wal_size": "32MB", "max_wal_size": "64MB", "wal_keep_size": "32MB",
            "wal_sender_timeout": "3s", "wal_receiver_timeout": "3s", "tcp_user_timeout": "3000",
            "wal_retrieve_retry_interval": "500ms"})
        server.disk, server.name = disk, name
        return server

    def admit(self, server):
        with open(f"{server.folder}/data/pg_hba.conf", "a") as file:
            file.write("host all all 10.77.0.0/16 trust\nhost replication all 10.77.0.0/16 trust\n")
        server.psql("ALTER SYSTEM SET synchronous_standby_names = '*'; SELECT pg_reload_conf()"
                    .replace("; ", ";\n"), "postgres")

    def follow(self):
        """Makes the standby anew from the primary, and waits until commits wait for it."""
        shutil.rmtree(f"{self.standby.folder}", ignore_errors=True)
        self.standby.own(self.standby.folder)
        self.standby.run("pg_basebackup", "-D", f"{self.standby.folder}/data", "-h", self.primary.folder,
                         "-U", "hearth", "-X", "stream", "-c", "fast")
        address = self.primary.host.address("copy", self.primary.host.number)
        self.standby.own(f"{self.standby.folder}/data")
        with open(f"{self.standby.folder}/data/postgresql.auto.conf", "a") as file:
            name = self.standby.name
            file.write(f"primary_conninfo = 'host={address} port=5432 user=hearth application_name={name}'\n")
        open(f"{self.standby.folder}/data/standby.signal", "w").close()
        self.standby.own(f"{self.standby.folder}/data")
        shell(f"chown -R --reference={self.standby.folder}/data {self.standby.folder}/data")
        self.standby.start()
        until(RECOVERY, "the standby follows", self.is_followed)

    def is_followed(self):
        try:
            query = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            return self.primary.psql(query, timeout=5) == "1"
        except subprocess.SubprocessError:
            return False

    def promote(self):
        """Makes the standby the primary; the former one has to be gone before it may come back."""
        self.standby.psql("SELECT pg_promote(true, 30)", "postgres")
        self.primary, self.standby = self.standby, self.primary

    # Nodes

    def make_clock(self):
        """The library that moves a process's clock; none where there is no C compiler."""
        compiler = next(filter(None, map(shutil.which, ("cc", "clang", "gcc"))), None)
        if not compiler:
            return None
        library = f"{self.folder}/clock.so"
        source = f"{ROOT}/scripts/faults.d/clock.c"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        return library

    def make_node(self, name, number):
        disk = Disk(f"{self.folder}/{name}", "16m")
        host = Namespace(name, number, ["web", "data"])
        web = host.address("web", number)
        environment = {"HEARTH_NODE_NAME": name}
        if self.clock:
            environment |= {"LD_PRELOAD": self.clock, "CLOCK_FILE": f"{self.folder}/{name}.clock"}
        node = Node(self.hearth, self.place, disk.folder, host, (f"{web}:8080", f"{web}:8081"), environment,
                    says=lambda line: self.heard(name, line))
        node.disk = disk
        node.clock_file = f"{self.folder}/{name}.clock"
        self.move_clock(node, 0)
        return node

    def move_clock(self, node, seconds):
        with open(node.clock_file, "r+b" if os.path.exists(node.clock_file) else "wb") as file:
            file.write(struct.pack("l", seconds))

    def heard(self, name, line):
        if "Fatal" in line or "fatalError" in line or "Crash" in line:
            self.history.add("crash", node=name, line=line.strip())

    def restart(self, node):
        """Starts a node as a supervisor does: again and again, until it stays."""
        while True:
            node.launch()
            while node.process.poll() is None:
                if node.serves.wait(0.05):
                    return
            if node.process.returncode not in (69, 74):
                line = f"a start ended with {node.process.returncode}: {node.lines[-3:]}"
                self.history.add("crash", node=node.name, line=line)
                return

    def well(self, node):
        """What is not well about a node; nothing when all is."""
        try:
            if node.process.poll() is not None:
                return "it has ended"
            status, _, body = ask(node.addresses["public"], "GET", "/readyz", timeout=3)
            if status != 200:
                return f"not ready: {body}"
            state = ask(node.addresses["admin"], "GET", "/status", timeout=3)[2]
            if (state["status"], state["database"]) != ("ok", "ok"):
                return json.dumps(state)
            listed = node.ask(self.token, "GET", "/nodes", timeout=3)[2]["nodes"]
            alive = sorted(one["name"] for one in listed if one["alive"])
            return None if alive == sorted(other.name for other in self.nodes) else f"it takes {alive} to be alive"
        except (OSError, KeyError, ValueError) as error:
            return str(error) or type(error).__name__

    def settle(self):
        """Waits until all is well again; says what is not when that takes too long."""
        start = time.monotonic()
        while True:
            ills = [f"{node.name}: {ill}" for node in self.nodes if (ill := self.well(node))]
            if not self.is_followed():
                ills.append("the standby does not follow")
            if not ills:
                return time.monotonic() - start
            if time.monotonic() - start > self.patience:
                raise TimeoutError(f"not well within {self.patience} s: {'; '.join(ills)}")
            time.sleep(0.1)

    # The front

    def make_front(self):
        disk = Disk(f"{self.folder}/front", "64m")
        self.front_address = "10.77.2.1:8000"
        self.front_words = as_nobody(configure(
            disk.folder, self.front_address, "127.0.0.1:8079", [node.addresses["public"] for node in self.nodes]))
        process = subprocess.Popen(self.front_words)
        self.front = process
        until(20, "the front answers", self.front_answers)
        return process

    def front_answers(self):
        try:
            return ask(self.front_address, "GET", "/readyz", timeout=3)[0] == 200
        except OSError:
            return False

    def end(self):
        self.front.kill()
        for node in self.nodes:
            with contextlib.suppress(ProcessLookupError):
                node.process.send_signal(signal.SIGCONT)
                node.process.kill()
        for server in (self.primary, self.standby):
            with contextlib.suppress(OSError, RuntimeError, subprocess.SubprocessError):
                server.end()
