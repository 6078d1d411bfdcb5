"""The `assay` program as functions: every figure of the table comes through here."""
import json
import pathlib
import subprocess
import sys


class Problem(Exception):
    """A failure that people can act upon; its text is the whole message."""


class Assay:
    def __init__(self, program: str, store: str):
        self.command = [program, "--store", store]

    def ask(self, *arguments: str, follow: bool = False):
        """The JSON document of a command; with `follow` its progress goes to the terminal."""
        result = subprocess.run([*self.command, "--json", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=None if follow else subprocess.PIPE, text=True, check=False)
        try:
            document = json.loads(result.stdout)
        except ValueError:
            said = (result.stderr or result.stdout or "").strip()
            raise Problem(f"assay {arguments[0]} ended with {result.returncode} and said: {said[:500]}") from None
        if isinstance(document, dict) and set(document) == {"error"}:  # runs have an error of their own beside the rest
            error = document["error"]
            raise Problem(f"assay {arguments[0]}: {error.get('message')}" + (f" ({error['hint']})" if error.get("hint") else ""))
        return document

    def checked(self, path) -> dict:
        """The resolved experiment; Problem names file, line and key of what is wrong."""
        document = self.ask("check", str(path))
        for problem in document["problems"]:
            place = f":{problem['line']}:{problem['column']}" if problem["line"] else ""
            raise Problem(f"{pathlib.Path(path).name}{place}: {problem['key']}: {problem['message']}")
        return document["resolved"]

    def newest(self, name: str, resolved: dict):
        """The newest finished run of exactly this experiment; None when there is none."""
        rows = self.ask("runs", "list", "--parents-only", "--where", f'name = "{name}" and status = done', "--sort", "-created_at")["runs"]
        for row in rows:
            if self.ask("runs", "show", row["id"]).get("spec") == resolved:
                return row["id"]
        return None

    def run(self, path) -> str:
        document = self.ask("run", str(path), follow=sys.stderr.isatty())
        if document.get("status") != "done":
            raise Problem(f"run {document.get('run')} is {document.get('status')}: {document.get('reason') or 'see assay runs log'}")
        return document["run"]
