"""An npm registry on loopback with tiny packages, for a real npm to fetch from."""

import http.server
import io
import json
import tarfile
import threading
import urllib.parse

import store as store_module


class Registry:
    """Serves what `add` published; use as a context manager. `requests` counts the calls."""

    def __init__(self, folder):
        self._folder = folder
        self._packages = {}
        self._tarballs = {}
        self.requests = 0
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                registry.requests += 1
                path = urllib.parse.unquote(self.path)
                if path in registry._tarballs:
                    self._answer(200, "application/octet-stream", registry._tarballs[path])
                elif path[1:] in registry._packages:
                    body = json.dumps(registry._packages[path[1:]]).encode()
                    self._answer(200, "application/json", body)
                else:
                    self._answer(404, "application/json", b'{"error":"not found"}')

            def _answer(self, status, kind, body):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def add(self, name, version):
        """Publishes name@version with one file; returns its integrity."""
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            for file, text in (
                    ("package.json", json.dumps({"name": name, "version": version})),
                    ("index.js", f"module.exports = {json.dumps(version)};\n")):
                member = tarfile.TarInfo(f"package/{file}")
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
        path = f"/{name}/-/{name}-{version}.tgz"
        self._tarballs[path] = content.getvalue()
        saved = self._folder / f"{name}-{version}.tgz"
        saved.write_bytes(content.getvalue())
        integrity = store_module.integrity_of(saved)
        package = self._packages.setdefault(
            name, {"name": name, "dist-tags": {"latest": version}, "versions": {}})
        package["versions"][version] = {
            "name": name, "version": version,
            "dist": {"tarball": self.url + path, "integrity": integrity},
        }
        return integrity

    def __enter__(self):
        # It looks so often whether it is to end: without saying, only twice a second.
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
