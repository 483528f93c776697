"""Strings, numbers, bytes and headers that often cause errors."""

# Placeholders are as long as the values they stand for, so that a request's length stays correct.
GAME, TOKEN, WATCH = "@game".ljust(22, "@"), "@token".ljust(32, "@"), "@watch".ljust(32, "@")
NAMES = ["keepaway", "chain", "scatter", "trails", "showdown", "hermit"]
RAW = {"#huge#": "9" * 400, "#more#": "1e999", "#less#": "-1e999", "#nan#": "NaN", "#bare#": "\x01", "#cut#": ""}
BYTES = [
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\0",
    b"\r\n",
    b"\r\n\r\n",
    b"{",
    b"}",
    b'"',
    b"\\u",
    b"[" * 3000,
    b"1" * 500,
]
KEYS = ["type", "id", "game", "setup", "moves", "record", "text", "definition", "position", "shape", "cell", "", "re"]
NUMBERS = [0, 1, 2, -1, 3, 7, 24, 899, 900, 100_000, 100_001, 2**31 - 1, 2**31, 2**53, 2**63, 2**64, -(2**63), 0.5]
NUMBERS += [1e308, -0.0, 1e-320, 0.1, 10.0]

TEXTS = [
    "0",
    "-1",
    "1,1",
    "swap",
    "pass",
    "5x5",
    "1x1",
    "30x30",
    "31x31",
    "0x5",
    "99999x99999",
    "1e5x2",
    "king",
    "orthogonal",
    "link",
    "screen",
    "random",
    "perfect",
]
TEXTS += [
    "",
    "x" * 33,
    "x" * 5000,
    "../../etc/passwd",
    "<script>",
    "'; DROP TABLE games; --",
    "%00",
    "%s%n{}",
    "#" * 30,
]
TEXTS += [
    "\ud800",
    "\udfff\ud800",
    "\0",
    "\u202e",
    "\ufeff",
    "\U0001f600",
    "e\u0301" * 20,
    "\u0663,\u0663",
    "\uff11,\uff11",
]
TEXTS += ["\n", "\r\n\t", "\\", '"', "]", "}", "[", "{", ";", "X", "X.O", "{}", "[]", "null", "1. ", "1-0", "*"]
TEXTS += ['[GridLock "1"]\n', GAME, TOKEN, *RAW, *NAMES]
VALUES = [None, True, False, [], {}, [[]], [None] * 40, {"": ""}, {"a": {"b": []}}, *NUMBERS, *TEXTS]

METHODS = [
    "GET",
    "POST",
    "HEAD",
    "HEAD",
    "HEAD",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "CONNECT",
    "get",
    "G\xc9T",
    "X" * 50,
]
PATHS = [
    "/",
    "/play",
    "/play/",
    "/analyse",
    "/health",
    "/api/games",
    "/api//games",
    "/api/openapi.json",
    "/api/position",
    "/api/why",
    "/ws",
    "*",
]
PATHS += [
    f"/api/games/{GAME}{rest}" for rest in ("", "/record", "/join", "?ply=3", "?ply=%00", "/record?format=json", "/x")
]
PATHS += [
    "/api/games/%00",
    "/api/games/%ff",
    "/pictures/chain.svg",
    "/pictures/%00.svg",
    "/pictures/..%2f.svg",
    "/static",
    "/static/",
]
PATHS += [
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/%00",
    "//elsewhere.example/play/",
    "http://elsewhere.example/",
]
PATHS += [
    f"/picture.{form}?{query}"
    for form in ("svg", "png", "gif")
    for query in (
        "",
        "at=",
        "at=%00",
        "at=chain/31x31/king/1/0/",
        "at=chain/3x3/king/9/9/9,9",
        "day=2026-02-30",
        "day=%ff",
    )
]
PATHS += [
    "/embed?at=" + "9,9_" * 2000,
    "/puzzles?day=0000-00-00",
    "/api/puzzle?day=9999-12-31",
    "/api/puzzle?difficulty=6",
    "/api/puzzle?game=%00",
    "/api/lessons/%00",
    "/api/lessons/nobody",
    "/service-worker.js",
]
PATHS += ["/?" + "q" * 9000]

# With any of these headers, it is unclear where a request ends.
FRAMING = [f"Content-Length: {length}" for length in ("0", "5", "-1", "9" * 20)]
FRAMING += [
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Expect: 100-continue",
    "Upgrade: websocket",
]
FRAMING += ["Connection: Upgrade", " folded", "X: " + "y" * 20000, "A" * 300 + ": b", ": nothing", "Cookie: a=\x7f"]
HEADERS = ["Origin: http://elsewhere.example", "Origin: null", "Host: elsewhere.example", "Connection: close"]
HEADERS += ["Authorization: Bearer x", "Authorization: \xff", "Content-Type: text/\xe9", "Accept-Encoding: br"]
HEADERS += [
    "Range: bytes=0-1,3-",
    "Range: bytes=-1",
    "If-None-Match: *",
    "X-Forwarded-For: 1.2.3.4",
    "Forwarded: for=::1",
]
