"""Engines that are not what a window hopes for: another version, another token, a silent one. The handshake of PROTOCOL.md on plain sockets."""
import base64
import hashlib
import json
import socket
import struct
import threading

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"   # RFC 6455, 1.3


class StrangeEngine:
    """`kind`: newer, older, refusing (401). Use as a context manager; `address` is what a person types."""

    LEVELS = {"newer": (9999, 9999), "older": (0, 0)}

    def __init__(self, kind):
        self.kind = kind
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"ws://127.0.0.1:{self.listener.getsockname()[1]}"
        self.open = []

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        for client in self.open:
            client.close()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(client)
            try:
                self._greet(client)
            except OSError:
                continue

    def _greet(self, client):
        request = b""
        while b"\r\n\r\n" not in request:
            piece = client.recv(4096)
            if not piece:
                return
            request += piece
        if self.kind == "refusing":
            client.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return client.close()
        key = next(line.split(b":", 1)[1].strip() for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:"))
        accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
        client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept +
                       b"\r\nSec-WebSocket-Protocol: assay.v1.json\r\n\r\n")
        level, compatible = self.LEVELS[self.kind]
        hello = {"product": "assay", "version": f"of a {self.kind} day", "api_level": level, "api_compat_level": compatible, "engine_id": "e", "store_epoch": "s", "auth": "token", "features": []}
        body = json.dumps({"jsonrpc": "2.0", "method": "hello", "params": hello}).encode()
        client.sendall(struct.pack(">BBH", 0x81, 126, len(body)) + body)
