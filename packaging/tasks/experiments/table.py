"""From the documents of `assay` to the table of experiments/README.md. Pure: the same documents give the same text."""
import string

import figures
import planned

BEGIN = "<!-- techniques: begin (written by packaging/dev experiments) -->"
END = "<!-- techniques: end -->"


class Measured:
    """One technique: its comparison, the rows of its runs and the machine they ran on."""

    def __init__(self, name: str, comparison: dict, rows: list, machine: dict, plan=None):
        self.name, self.comparison, self.machine, self.plan = name, comparison, machine, plan
        self.by_id = {row["id"]: row for row in rows}

    def setups(self) -> list:
        """A set-up for each variant: the one whose held-out loss was measured."""
        return [setup for setup in self.comparison["setups"] if setup["accuracy"].get("eval_loss") is not None]

    def baseline(self) -> dict:
        found = [setup for setup in self.comparison["setups"] if setup["id"] == self.comparison["baseline"]]
        return found[0] if found else {}

    def variant(self, setup: dict) -> str:
        return setup["name"].split(" · ")[0]

    def mean(self, setup: dict, metric: str):
        """The mean of a summary value over the runs of a set-up; None when one of them has none."""
        values = [self.by_id.get(run, {}).get("summary", {}).get(metric) for run in setup["runs"]]
        return sum(values) / len(values) if values and all(isinstance(v, (int, float)) for v in values) else None

    def created(self) -> str:
        return max((self.by_id[run].get("created_at") or "" for setup in self.setups() for run in setup["runs"] if run in self.by_id), default="")


def facts(measured: Measured, setup: dict) -> dict:
    """What the sentences about a variant may say; a figure that is missing reads "not measured"."""
    base = measured.baseline()
    out = {}

    def put(name: str, value, form) -> None:
        out[name] = "not measured" if value is None else form(value)

    whole = lambda value: f"{value:,.0f}"
    part = lambda value: f"{100 * value:.0f} %"
    for prefix, one in (("", setup), ("base_", base)):
        peak = measured.mean(one, "system/tensor_bytes_peak") if one else None
        for key in ("weights", "gradients", "optimizer", "activations"):
            value = measured.mean(one, f"memory/{key}_bytes") if one else None
            put(f"{prefix}{key}", value, figures.bytes_text)
            put(f"{prefix}{key}_share", value / peak if value is not None and peak else None, part)
        put(f"{prefix}steps", measured.mean(one, "train/steps") if one else None, whole)
        put(f"{prefix}tokens", measured.mean(one, "train/tokens") if one else None, whole)
        put(f"{prefix}skipped", measured.mean(one, "train/skipped_steps") if one else None, whole)
        put(f"{prefix}peak", peak, figures.bytes_text)
    speedup = measured.mean(setup, "train/precision_speedup")
    put("speedup", speedup, lambda value: f"{value:.2f} times")
    steps, base_steps = measured.mean(setup, "train/steps"), measured.mean(base, "train/steps") if base else None
    put("steps_ratio", steps / base_steps if steps and base_steps else None, lambda value: f"{value:.2f}")
    return out


def sentence(text: str, known: dict) -> str:
    """`text` with {names} replaced; a name that is no fact is a mistake in the claims."""
    for _, name, _, _ in string.Formatter().parse(text):
        if name is not None and name not in known:
            raise KeyError(f"{{{name}}} is no measured fact; there are: {', '.join(sorted(known))}")
    return text.format(**known)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def rows_of(measured: Measured, claims: dict) -> list:
    per_byte = measured.comparison["y"] == "accuracy.bits_per_byte"
    metric = "accuracy.bits_per_byte" if per_byte else "accuracy.eval_loss"
    base, out = measured.baseline(), []
    energy = energy_known(measured)
    for setup in measured.setups():
        is_base = setup["id"] == measured.comparison["baseline"]
        differences = {} if is_base else setup["differences"]
        value = lambda group, key, one=setup: one.get(group, {}).get(key)

        def against(group: str, key: str, form) -> str:
            return figures.change(differences.get(f"{group}.{key}"), value(group, key, base), form(value(group, key)))

        key = metric.split(".")[1]
        variant = measured.variant(setup)
        said = claims["variants"].get(variant, {})
        line = [f"**{variant}** (baseline)" if is_base else variant, against("bytes", "train_peak", figures.bytes_text), against("speed", "train_step_ms", figures.milliseconds),
                figures.rate(value("speed", "train_tokens_per_s")), figures.spread(value("accuracy", key), value("accuracy", key + "_se"), setup["seeds"]),
                "" if is_base else ("not comparable" if not setup["comparable"] else figures.gap(differences.get(metric))), against("cost", "usd_per_run", figures.cents)]
        if energy:
            joules = measured.mean(setup, "cost/energy_joules")
            line.append(figures.DASH if joules is None else figures.significant(joules, 3) + " J")
        claim = said.get("claim", "")
        source = said.get("source", claims.get("source", ""))
        line += ["" if is_base else f"{claim} ({source})" if claim and source else claim, "" if is_base else sentence(said.get("why", ""), facts(measured, setup))]
        out.append(line)
    return out


def energy_known(measured: Measured) -> bool:
    return any(measured.mean(setup, "cost/energy_joules") is not None for setup in measured.setups())


def section(measured: Measured, claims: dict) -> list:
    per_byte = measured.comparison["y"] == "accuracy.bits_per_byte"
    base = measured.baseline()
    head = ["Technique", "Peak tensor bytes", "Step", "Tokens/s", "Held-out bits per byte" if per_byte else "Held-out loss, nats a token", "Difference to the baseline", "Cost of a run"]
    if energy_known(measured):
        head.append("Energy of a run")
    head += ["Articles claim", "What is behind the figures here"]
    lines = [f"### {claims['title']}", "", f"[`techniques/{measured.name}.yaml`](techniques/{measured.name}.yaml); baseline: {measured.variant(base) if base else 'none'}; "
             f"{max((setup['seeds'] for setup in measured.setups()), default=0)} seeds. {claims['what']}", "", "| " + " | ".join(head) + " |",
             "|---|" + "---:|" * (len(head) - 3) + "---|---|"]
    lines += ["| " + " | ".join(cell(text) for text in line) + " |" for line in rows_of(measured, claims)]
    for warning in measured.comparison["warnings"]:
        lines += ["", f"Assay warns: {warning}."]
    return [*lines, ""]


def heading(all_measured: list) -> list:
    machines = sorted({tuple(sorted(measured.machine.items())) for measured in all_measured})
    out = []
    for machine in machines:
        facts_of = dict(machine)
        dates = sorted({measured.created()[:10] for measured in all_measured if tuple(sorted(measured.machine.items())) == machine and measured.created()})
        when = "" if not dates else dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        out.append(f"Measured on {facts_of['cpu']}, {facts_of['cores']} cores, {facts_of['memory']}, {facts_of['os']}; Assay {facts_of['version']}, LibTorch {facts_of['libtorch']}; {when}.")
    if len(machines) > 1:
        out.append("Figures of different machines stand in different tables and are not compared.")
    out += ["", "Peak tensor bytes are exact and of one process. Step: median over the steps of a run, mean over the seeds. Held-out loss: mean ± standard deviation over the seeds. Differences",
            "are paired by seed, ± one standard error; *not separable*: the 95 % interval (Student's t) spans 0. Cost: running time at the price that the files assume, 0.08 USD an hour."]
    if not any(energy_known(measured) for measured in all_measured):
        out.append("Energy was not measured: these runs had no meter.")
    return [*out, ""]


def page(all_measured: list, claims: dict, missing: dict) -> str:
    lines = heading(all_measured) if all_measured else []
    for measured in all_measured:
        lines += section(measured, claims[measured.name])
    lines += planned.lines(all_measured)
    for name, why in missing.items():
        lines += [f"### {claims[name]['title']}", "", f"[`techniques/{name}.yaml`](techniques/{name}.yaml): not measured: {why}", ""]
    return "\n".join(lines).rstrip() + "\n"


def replaced(readme: str, text: str) -> str:
    """The page between its markers; ValueError when they are not there, each once and in order."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise ValueError(f"the markers {BEGIN} and {END} must stand once each, in this order")
    before, after = readme.split(BEGIN)[0], readme.split(END)[1]
    return f"{before}{BEGIN}\n{text}{END}{after}"
