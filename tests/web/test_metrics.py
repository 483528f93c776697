"""Metrics for Prometheus, on an address of their own."""

import asyncio
import socket

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from gridlock.web.command import serve
from gridlock.web.net import metrics


def sampled(text: str) -> dict[str, float]:
    """Samples by name and labels."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def ask(port: int, request: bytes) -> bytes:
    """Send a request as it is, and read the whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


def test_what_was_counted_is_told() -> None:
    before = sampled(metrics.text().decode()).get("gridlock_refusals_total pace", 0)
    metrics.refusals.labels("pace").inc()

    async def run() -> bytes:
        server = await metrics.serve(socket.create_server(("127.0.0.1", 0)))
        async with server:
            return await ask(server.sockets[0].getsockname()[1], b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")

    head, _, body = asyncio.run(run()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    told = sampled(body.decode())
    assert told["gridlock_refusals_total pace"] == before + 1
    assert told["process_resident_memory_bytes"] > 1e6


@pytest.mark.parametrize("address", ["9100", "x:99999", ":1", "a b:1", "http://x:1"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    told = CliRunner().invoke(serve, ["--metrics", address])
    assert told.exit_code == 2
    assert "is no address with a port. It looks like 127.0.0.1:9100" in told.output


def test_nothing_else_is_there_and_nobody_can_fill_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "PATIENCE", 0.2)

    async def run() -> None:
        server = await metrics.serve(socket.create_server(("127.0.0.1", 0)))
        async with server:
            port = server.sockets[0].getsockname()[1]
            assert (await ask(port, b"GET /health HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 404 ")
            assert (await ask(port, b"POST /metrics HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 404 ")
            with pytest.raises((ConnectionError, AssertionError)):  # cut off, and no answer
                assert await ask(port, b"x" * 1_000_000)
            assert await ask(port, b"GET /metr") == b""  # nothing more comes: given up
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(metrics.AT_ONCE)]
            assert await ask(port, b"") == b""  # one too many
            for _, writer in silent:
                writer.close()
                await writer.wait_closed()
            await asyncio.sleep(0.3)
            assert (await ask(port, b"GET /metrics HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 200 ")

    asyncio.run(run())
