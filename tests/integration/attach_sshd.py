#!/usr/bin/env python3
"""`assay attach` and `--engine ssh://…` against a real sshd on a high port of this machine, with keys of its own.

Usage: attach_sshd.py BIN_DIR
"""
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from harness import Assay, Failure, check, equal, wait_until  # noqa: E402

HOST = "assay-test"  # a name only the client's configuration knows


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False


class Sshd:
    """A server that lets in this user with one key, and the client configuration that finds it."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
        shutil.copy(folder / "user.pub", folder / "authorized_keys")
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where a server of root locks its helper in
        self.port = free_port()
        (folder / "sshd_config").write_text(f"""ListenAddress 127.0.0.1
Port {self.port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized_keys
PidFile {folder}/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding local
""")
        public = (folder / "host.pub").read_text().split()
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {public[0]} {public[1]}\n")
        self.client = folder / "ssh_config"
        self.client.write_text(f"""Host {HOST}
  HostName 127.0.0.1
  Port {self.port}
Host {HOST} closed
  User {getpass.getuser()}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  StrictHostKeyChecking yes
  BatchMode yes
Host closed
  HostName 127.0.0.1
  Port {free_port()}
""")
        self.log = open(folder / "sshd.log", "wb")
        self.process = subprocess.Popen([shutil.which("sshd", path="/usr/sbin:/sbin:" + os.environ["PATH"]), "-D", "-e", "-f",
                                         str(folder / "sshd_config")], stderr=self.log, stdout=self.log)
        wait_until(lambda: answers(self.port), 20, "sshd to listen")

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


def children(pid):
    try:
        return [int(p) for task in Path(f"/proc/{pid}/task").iterdir() for p in (task / "children").read_text().split()]
    except OSError:
        return []


def attached(assay):
    """Starts `assay attach` and returns the process and its one line."""
    process = assay.start("attach", f"ssh://{HOST}")
    line = process.stdout.readline()
    check(line, f"attach ended: {process.stderr.read() if process.poll() is not None else ''}")
    return process, json.loads(line)


def hold_and_use(assay):
    version = subprocess.run([str(assay.bin / "assay"), "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    process, document = attached(assay)
    equal(set(document), {"url", "engine_version", "host"}, "fields of attach")
    equal((document["host"], document["engine_version"]), (HOST, version), "attach")
    # Another command, another store: the tunnel's address is enough.
    elsewhere = ["--store", str(assay.root / "elsewhere"), "--engine", document["url"]]
    equal(assay.call(*elsewhere, "engine", "status")["store"], str(assay.store), "store behind the tunnel")
    equal(assay.call(*elsewhere, "runs", "list")["runs"], [], "runs behind the tunnel")
    tunnels = children(process.pid)
    equal(len(tunnels), 1, "ssh processes of attach")

    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    equal((process.returncode, out), (0, ""), f"attach after SIGTERM ({err})")
    check(not Path(f"/proc/{tunnels[0]}").exists(), "the ssh process outlived attach")
    after = assay.call(*elsewhere, "runs", "list", expect=4)
    check(after["error"]["code"] in ("unreachable", "unauthorized"), f"after the tunnel: {after}")


def broken_tunnel(assay):
    process, _ = attached(assay)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=30)
    equal((process.returncode, out), (4, ""), f"attach after its ssh was killed ({err})")
    check("ended" in err and HOST in err, f"message after the tunnel broke: {err!r}")


def one_command(assay):
    """`--engine ssh://…` opens its own tunnel and leaves nothing behind."""
    status = assay.call("--engine", f"ssh://{HOST}", "engine", "status")
    equal((status["state"], status["store"]), ("running", str(assay.store)), "engine status over ssh")


def errors(assay):
    def error(*arguments, code, mentions):
        document = assay.call(*arguments, expect=2 if code == "bad_usage" else 4)["error"]
        equal(document["code"], code, f"code of {arguments}")
        for word in mentions:
            check(word in document["message"] + document["hint"], f"{arguments}: {word!r} is not in {document}")

    error("attach", "ssh://closed", code="unreachable", mentions=["closed", "refused"])
    error("attach", "ssh://-oProxyCommand=true", code="bad_usage", mentions=["ssh"])
    assay.environment["ASSAY_SSH"] = str(assay.root / "no-ssh")
    error("attach", f"ssh://{HOST}", code="unreachable", mentions=["no-ssh"])
    del assay.environment["ASSAY_SSH"]
    program = assay.environment["ASSAY_REMOTE_PROGRAM"]
    assay.environment["ASSAY_REMOTE_PROGRAM"] = str(assay.root / "none")
    error("--store", str(assay.root / "empty"), "attach", f"ssh://{HOST}", code="unreachable", mentions=[HOST, "ASSAY_REMOTE_PROGRAM"])
    assay.environment["ASSAY_REMOTE_PROGRAM"] = program
    # A file that an engine left behind when it died: its port answers nothing.
    stale = assay.root / "stale"
    stale.mkdir()
    (stale / "engine.json").write_text(json.dumps({"url": f"ws://127.0.0.1:{free_port()}", "token": "t", "pid": 4194303, "start_ticks": 1}))
    assay.environment["ASSAY_REMOTE_PROGRAM"] = str(assay.root / "none")
    error("--store", str(stale), "attach", f"ssh://{HOST}", code="unreachable", mentions=["127.0.0.1"])
    assay.environment["ASSAY_REMOTE_PROGRAM"] = program


def main(bin_dir):
    with Assay(bin_dir) as assay:
        server = Sshd(assay.root / "ssh")
        try:
            assay.environment.update(ASSAY_SSH_CONFIG=str(server.client), ASSAY_REMOTE_PROGRAM=str(assay.bin / "assay"),
                                     ASSAY_CACHE=str(assay.root / "cache"))
            assay.environment.pop("ASSAY_TOKEN", None)
            for part in (hold_and_use, broken_tunnel, one_command, errors):
                part(assay)
                print(f"passed {part.__name__}", flush=True)
        except Exception:
            print((server.folder / "sshd.log").read_text(errors="replace")[-3000:], file=sys.stderr)
            raise
        finally:
            server.stop()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR")
    try:
        main(sys.argv[1])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
