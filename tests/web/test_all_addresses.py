"""Tests that a server on all addresses distinguishes clients and recognises proxies, both for IPv4 and for IPv6."""

import socket
import time
from collections.abc import Callable
from http.client import HTTPConnection

import pytest
from web_server import Served

WISH = b'{"setup": {"game": "chain"}, "opponent": "screen"}'


@pytest.mark.slow
def test_all_addresses_are_those_of_ipv4_and_ipv6(serve: Callable[..., Served]) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    options = ["--host=::", "--origin=http://127.0.0.1:1", "--games-per-client=1", "--trusted-proxy=127.0.0.1"]
    server = serve(*options)
    while not (started := [line for line in server.lines() if line["event"] == "started"]):
        time.sleep(0.05)  # because a separate thread writes the log
    port = started[0]["address"][1]

    def create(host: str, source: str, forwarded: str = "") -> int:
        connection = HTTPConnection(host, port, timeout=60, source_address=(source, 0))
        connection.request("POST", "/api/games", WISH, {"X-Forwarded-For": forwarded} if forwarded else {})
        status = connection.getresponse().status
        connection.close()
        return status

    assert [create("::1", "::1") for _ in range(2)] == [201, 429]
    assert [create("127.0.0.1", "127.0.0.2") for _ in range(2)] == [201, 429]
    # This client is not a proxy, so the header is ignored.
    assert create("127.0.0.1", "127.0.0.3", forwarded="192.0.2.1") == 201
    assert create("127.0.0.1", "127.0.0.3", forwarded="192.0.2.2") == 429
    assert [create("127.0.0.1", "127.0.0.1", forwarded=f"192.0.2.{number}") for number in (1, 2, 2)] == [201, 201, 429]
    assert server.complaints() == []
