"""Tests of Prometheus metrics, which are served on a separate address."""

import socket
import subprocess
import sys
import threading
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from gridlock.web.command import serve
from gridlock.web.net import metrics


def sampled(text: str) -> dict[str, float]:
    """Return the samples keyed by name and labels."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def ask(host: str, port: int, method: str = "GET") -> tuple[int, str]:
    """Request the metrics, and return the response's status and body."""
    connection = HTTPConnection(host, port, timeout=20)
    try:
        connection.request(method, "/metrics")
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def sent(port: int, request: bytes) -> bytes:
    """Send bytes, and return everything received until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(request)
        try:
            return b"".join(iter(lambda: client.recv(65536), b""))
        except ConnectionResetError:
            return b""


def has_ipv6() -> bool:
    """Return whether this machine can listen on ::1."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "host", ["127.0.0.1", pytest.param("::1", marks=pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here"))]
)
def test_counts_are_reported(host: str) -> None:
    with metrics.served(host, 0) as (_, port):
        before = sampled(ask(host, port)[1]).get("gridlock_refusals_total pace", 0)
        metrics.refusals.labels("pace").inc()
        status, body = ask(host, port)
    assert status == 200
    told = sampled(body)
    assert told["gridlock_refusals_total pace"] == before + 1
    assert told["process_resident_memory_bytes"] > 1e6
    with pytest.raises(ConnectionRefusedError):
        ask(host, port)
    with metrics.served(host, port):
        pass  # the address is free again


@pytest.mark.parametrize("address", ["9100", "x:99999", ":1", "a b:1", "http://x:1"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    told = CliRunner().invoke(serve, ["--metrics", address])
    assert told.exit_code == 2
    assert "is not an address with a port, such as 127.0.0.1:9100" in told.output


def test_an_address_in_use_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        options = ["--port=0", f"--database={tmp_path / 'x'}", f"--metrics=127.0.0.1:{port}"]
        command = [sys.executable, "-m", "gridlock", "serve", *options]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert (
        ran.stderr.splitlines()[-1]
        == f"gridlock: metrics cannot be served at 127.0.0.1, port {port}: Address already in use."
    )


def test_a_slow_client_cannot_block_the_metrics(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metrics, "PATIENCE", 0.5)
    with metrics.served("127.0.0.1", 0) as (host, port):
        assert ask(host, port, "POST")[0] == 405
        silent = [socket.create_connection((host, port)) for _ in range(50)]
        assert ask(host, port)[0] == 200
        assert sent(port, b"GET /metr") == b""  # the server gives up on an incomplete request
        assert b" 200 " not in sent(port, b"x" * 1_000_000)
        for client in silent:
            assert client.recv(1) == b""  # the server has closed the silent connections as well
            client.close()
        assert ask(host, port)[0] == 200
    assert capfd.readouterr().err == ""


def test_idle_connections_neither_keep_prometheus_out_nor_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "PATIENCE", 3600)  # so that no idle connection times out
    threads = threading.active_count()
    with metrics.served("127.0.0.1", 0) as (host, port):
        idle = []
        for _ in range(8):
            idle += [socket.create_connection((host, port), timeout=20) for _ in range(metrics.AT_ONCE)]
            assert ask(host, port)[0] == 200
        for client in idle[: -metrics.AT_ONCE]:
            assert client.recv(1) == b""  # the oldest idle connections were closed to make room
        assert threading.active_count() <= threads + 1 + 2 * metrics.AT_ONCE  # some threads are about to end
        for client in idle:
            client.close()
