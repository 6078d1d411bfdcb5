"""Jinja2 set up as transformers gives it to chat templates: immutable sandbox, trimmed blocks, loop controls, a tag for
what the assistant writes, JSON without HTML escapes. {% generation %} leaves marks in the text when asked to."""
import json
from datetime import datetime, timezone

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

BEGIN, END = "\U000F0000", "\U000F0001"  # private characters around what a generation block wrote


class Generation(jinja2.ext.Extension):
    tags = {"generation"}
    marks = False

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_written"), [], [], body).set_lineno(line)

    def _written(self, caller):
        text = caller()
        return BEGIN + text + END if Generation.marks else text


def environment(now: int) -> jinja2.Environment:
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                                       extensions=[Generation, jinja2.ext.loopcontrols])

    def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    env.filters["tojson"] = to_json
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda form: datetime.fromtimestamp(now, timezone.utc).strftime(form)
    return env
