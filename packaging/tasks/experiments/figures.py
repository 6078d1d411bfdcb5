"""Figures as people read them, each with its unit. What was not measured is a dash and never 0."""
import math

DASH = "—"


def significant(value: float, digits: int) -> str:
    """1,234 · 51.2 · 0.0123: so many significant digits, no exponent."""
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(decimals, 12)}f}".replace("-", "−")


def signed(text: str) -> str:
    return text if text.startswith("−") else "+" + text


def bytes_text(value) -> str:
    return DASH if value is None else significant(value / 1e6, 3) + " MB"


def milliseconds(value) -> str:
    return DASH if value is None else significant(value, 3) + " ms"


def rate(value) -> str:
    return DASH if value is None else f"{float(f'{value:.3g}'):,.0f}"


def cents(value) -> str:
    return DASH if value is None else significant(value * 100, 2) + " ¢"


def spread(mean, error, seeds: int) -> str:
    """Mean ± standard deviation over the seeds, of a mean and its standard error."""
    if mean is None:
        return DASH
    if error is None or seeds < 2:
        return f"{mean:.3f}"
    return f"{mean:.3f} ± {error * math.sqrt(seeds):.3f}"


def percent(share: float) -> str:
    return signed(f"{100 * share:.1f}".replace("-", "−")) + " %"


def change(difference, base, shown: str) -> str:
    """`shown` with its change against the baseline, when the seeds tell the two apart."""
    if difference is None or not base:
        return shown
    if difference["mean"] == 0 and difference["se"] == 0:
        return f"{shown}, the same"
    if not difference["separable"]:
        return f"{shown}, not separable"
    share, error = difference["mean"] / base, difference["se"] / base
    return f"{shown}, {percent(share)}" + (f" ± {100 * error:.1f}" if error >= 0.0005 else "")


def gap(difference) -> str:
    """The difference of two losses with its standard error."""
    if difference is None:
        return DASH
    if difference["mean"] == 0 and difference["se"] == 0:
        return "the same"
    text = f"{difference['mean']:+.3f} ± {difference['se']:.3f}".replace("-", "−")
    return text if difference["separable"] else f"not separable ({text})"
