"""Tables of every column type, and what a cell of each must read as."""
import base64
import datetime
import decimal
import json
import math
import random

import pyarrow as pa

NULL, STRING, JSON = 1, 2, 3  # Cell::Kind


def is_text(kind) -> bool:
    return (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_bytes(kind) -> bool:
    return (pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
            or pa.types.is_fixed_size_binary(kind))


def fraction(number: int, unit: str) -> str:
    digits = {"s": 0, "ms": 3, "us": 6, "ns": 9}[unit]
    return f".{number:0{digits}d}" if number else ""


def moment(value: int, kind) -> str:
    per = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    seconds, rest = divmod(value, per)
    text = (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    return text + fraction(rest, kind.unit) + ("Z" if kind.tz else "")


def plain(scalar):
    """The JSON value of an Arrow scalar, as columnar.h promises it."""
    kind = scalar.type
    if isinstance(scalar, pa.ExtensionScalar):
        return plain(scalar.value) if scalar.value is not None else None
    if isinstance(scalar, pa.DictionaryScalar):
        return plain(scalar.value) if scalar.is_valid else None
    if isinstance(scalar, pa.RunEndEncodedScalar):
        return plain(scalar.value) if scalar.value is not None else None
    if isinstance(scalar, pa.UnionScalar):
        return plain(scalar.value) if scalar.value is not None else None
    if not scalar.is_valid:
        return None
    if is_text(kind):
        return scalar.as_py()
    if is_bytes(kind):
        raw = scalar.as_py()
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return base64.b64encode(raw).decode()
    if pa.types.is_map(kind):
        pairs = [
            (plain(pair["key"]), plain(pair["value"])) for pair in scalar.values]
        return dict(pairs) if is_text(kind.key_type) else [list(pair) for pair in pairs]
    if pa.types.is_struct(kind):
        return {kind.field(i).name: plain(scalar[i]) for i in range(kind.num_fields)}
    if pa.types.is_nested(kind):
        return [plain(item) for item in scalar.values]
    if pa.types.is_timestamp(kind):
        return moment(scalar.value, kind)
    if pa.types.is_date32(kind):
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=scalar.value)).isoformat()
    if pa.types.is_date64(kind):
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=scalar.value // 86_400_000)).isoformat()
    if pa.types.is_time(kind):
        per = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        seconds, rest = divmod(scalar.value, per)
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}" + fraction(rest, kind.unit)
    if pa.types.is_duration(kind):
        per = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        return decimal.Decimal(scalar.value) / per
    if pa.types.is_decimal(kind):
        return str(scalar.as_py())
    value = scalar.as_py()
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def same(read, expected) -> bool:
    """JSON values alike; numbers with a point by value in single precision, which is what half and single columns hold."""
    if isinstance(expected, (float, decimal.Decimal)):
        return isinstance(read, (int, float)) and math.isclose(read, float(expected), rel_tol=1e-7, abs_tol=1e-45)
    if isinstance(expected, dict):
        return isinstance(read, dict) and list(read) == list(expected) and all(same(read[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        return isinstance(read, list) and len(read) == len(expected) and all(map(same, read, expected))
    return type(read) is type(expected) and read == expected


def wrong_cell(cell, scalar) -> bool:
    kind, text = cell
    expected = plain(scalar)
    if expected is None:
        return cell != [NULL, ""]
    inner = scalar.type
    while True:
        if isinstance(inner, pa.ExtensionType) or isinstance(inner, pa.BaseExtensionType):
            inner = inner.storage_type
        elif pa.types.is_dictionary(inner) or pa.types.is_run_end_encoded(inner):
            inner = inner.value_type
        elif pa.types.is_union(inner):
            inner = scalar.value.type
        else:
            break
    if is_text(inner) or is_bytes(inner):
        return kind != STRING or text != expected
    return kind != JSON or not same(json.loads(text), expected)


WORDS = ["", "a", "Größe", "日本語", "emoji 🎉 zwj 👩‍👩‍👧", "line\nbreak \"quoted\" \\ tab\t\x01", "x" * 300, "\u2028"]
CHAT = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))


def values(make, rows: int, seed: int) -> list:
    rng = random.Random(seed)
    return [None if rng.random() < 0.2 else make(rng) for _ in range(rows)]


def plain_table(rows: int) -> pa.Table:
    """Types that Parquet can hold too."""
    word = lambda r: r.choice(WORDS)
    day = lambda r: r.randrange(-200_000, 200_000)
    columns = {
        "text": pa.array(values(word, rows, 1), pa.string()),
        "large": pa.array(values(word, rows, 2), pa.large_string()),
        "coded": pa.array(values(word, rows, 3), pa.string()).dictionary_encode(),
        "raw": pa.array(values(lambda r: r.choice([b"plain", "é".encode()]), rows, 4), pa.binary()),
        "whole": pa.array(values(lambda r: r.choice([0, -1, 2**63 - 1, -2**63]), rows, 5), pa.int64()),
        "unsigned": pa.array(values(lambda r: r.choice([0, 2**64 - 1]), rows, 6), pa.uint64()),
        "small": pa.array(values(lambda r: r.randrange(-128, 128), rows, 7), pa.int8()),
        "flag": pa.array(values(lambda r: r.random() < 0.5, rows, 8), pa.bool_()),
        "real": pa.array(values(lambda r: r.choice([0.1, -0.0, 1e300, math.nan, math.inf, -math.inf]), rows, 9), pa.float64()),
        "single": pa.array(values(lambda r: r.choice([0.1, 1e-30, 16777217.0]), rows, 10), pa.float32()),
        "half": pa.array(values(lambda r: r.choice([0.5, 0.1, 65504.0]), rows, 11), pa.float16()),
        "money": pa.array(values(lambda r: decimal.Decimal(r.randrange(-10**12, 10**12)) / 10000, rows, 12), pa.decimal128(20, 4)),
        "day": pa.array(values(day, rows, 13), pa.int32()).cast(pa.date32()),
        "at": pa.array(values(lambda r: r.randrange(-10**18, 10**18), rows, 14), pa.timestamp("ns")),
        "zoned": pa.array(values(lambda r: r.randrange(-10**14, 10**14), rows, 15), pa.timestamp("us", "Europe/Berlin")),
        "clock": pa.array(values(lambda r: r.randrange(86_400_000), rows, 16), pa.time32("ms")),
        "numbers": pa.array(values(lambda r: [r.choice([None, r.randrange(9)]) for _ in range(r.randrange(4))], rows, 17), pa.list_(pa.int32())),
        "messages": pa.array(values(lambda r: [{"role": "user", "content": word(r)}] * r.randrange(3), rows, 18), CHAT),
        "record": pa.array(values(lambda r: {"a": r.choice([None, 1]), "b": {"c": [word(r)]}}, rows, 19),
                           pa.struct([("a", pa.int16()), ("b", pa.struct([("c", pa.list_(pa.string()))]))])),
        "lookup": pa.array(values(lambda r: [(f"k{i}", i) for i in range(r.randrange(3))], rows, 20), pa.map_(pa.string(), pa.int64())),
        "pair": pa.array(values(lambda r: [1.5, 2.5], rows, 21), pa.list_(pa.float64(), 2)),
        "code": pa.array(values(lambda r: [b"\xff\x00ab"], rows, 22), pa.list_(pa.binary())),
    }
    return pa.table(columns)


def rare_table(rows: int) -> pa.Table:
    """Types that only Arrow's own files hold."""
    word = lambda r: r.choice(WORDS)
    kinds = pa.array([i % 2 for i in range(rows)], pa.int8())
    columns = {
        "view": pa.array(values(word, rows, 31), pa.string_view()),
        "bytes_view": pa.array(values(lambda r: word(r).encode(), rows, 32), pa.binary_view()),
        "numbers_view": pa.array(values(lambda r: [r.randrange(9)] * r.randrange(3), rows, 33), pa.list_view(pa.int16())),
        "large_list": pa.array(values(lambda r: [word(r)], rows, 34), pa.large_list(pa.string())),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([rows // 2, rows], pa.int32()), pa.array(["first", None], pa.string())),
        "nothing": pa.nulls(rows),
        "span": pa.array(values(lambda r: r.randrange(-10**12, 10**12), rows, 35), pa.duration("us")),
        "old_day": pa.array(values(lambda r: r.randrange(-10**5, 10**5) * 86_400_000, rows, 36), pa.int64()).cast(pa.date64()),
        "wide": pa.array(values(lambda r: decimal.Decimal(10**40 + r.randrange(9)), rows, 37), pa.decimal256(50, 2)),
        "either": pa.UnionArray.from_sparse(kinds, [pa.array(range(rows), pa.int32()), pa.array(["t"] * rows, pa.string())]),
        "dense": pa.UnionArray.from_dense(kinds, pa.array([i // 2 for i in range(rows)], pa.int32()),
                                          [pa.array(range(rows), pa.int32()), pa.array(["t"] * rows, pa.string())]),
        "by_number": pa.array(values(lambda r: [(1, "one")], rows, 38), pa.map_(pa.int32(), pa.string())),
        "coded_list": pa.array(values(lambda r: [word(r)], rows, 39), pa.list_(pa.string())),
    }
    return pa.table(columns)
