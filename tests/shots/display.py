"""A virtual display whose picture is a file (Xvfb -fbdir), so that no program is needed to take one."""
import os
import pathlib
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, rgb: bytes) -> bytes:
    rows = b"".join(b"\0" + rgb[y * width * 3:(y + 1) * width * 3] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


# Qt keeps this much above a restored window free for a title bar, also where no window manager draws one.
TITLE_BAR = 20


class Display:
    """`width` x `height` of picture; the window fills what lies below TITLE_BAR."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-shots-"))
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height + TITLE_BAR}x24", "-fbdir", str(self.folder), "-nolisten", "tcp", "-noreset", "-nocursor"],
                                       pass_fds=(write,), stderr=subprocess.DEVNULL)
        os.close(write)
        number = ""
        while not number.endswith("\n") and select.select([read], [], [], 20)[0]:   # the number and its newline come apart
            if not (part := os.read(read, 16).decode()):
                break
            number += part
        os.close(read)
        if not number:
            self.close()
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number.strip()}"

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(10)
        shutil.rmtree(self.folder, True)

    def pixels(self) -> bytes:
        """Four bytes a pixel (blue, green, red, unused), rows top to bottom: the body of an XWD file."""
        raw = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", raw[:100])
        size, width, height, bits, line, colors = header[0], header[4], header[5], header[11], header[12], header[19]
        if (width, height, bits) != (self.width, self.height + TITLE_BAR, 32):
            raise RuntimeError(f"the display is {width}x{height} with {bits} bits")
        start = size + colors * 12 + TITLE_BAR * line
        return b"".join(raw[start + y * line:start + y * line + width * 4] for y in range(self.height))

    def steady(self, quiet: float, most: float) -> bool:
        """Waits until the picture has been one of two (a text cursor blinks) for `quiet` seconds; False after `most`."""
        seen: list[tuple[float, int]] = []
        end = time.monotonic() + most
        while time.monotonic() < end:
            now = time.monotonic()
            seen.append((now, zlib.adler32(self.pixels())))
            recent = {mark for at, mark in seen if at > now - quiet}
            still = {mark for at, mark in seen if at > now - quiet / 2}
            if now - seen[0][0] > quiet and (len(recent) == 1 or (len(recent) == 2 and now - seen[0][0] > 3 * quiet and len(still) <= 2)):
                return True
            try:
                self.server.wait(0.06)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError("the display has ended")
        return False

    def save(self, path: pathlib.Path) -> int:
        pixels = self.pixels()
        rgb = bytearray(len(pixels) // 4 * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
        data = png(self.width, self.height, bytes(rgb))
        path.write_bytes(data)
        return len(set(pixels[2::4]))
