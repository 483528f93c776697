"""The decoder for request bodies, and the error responses to requests."""

from dataclasses import dataclass
from typing import TypeVar

import msgspec

from gridlock.core.errors import GridLockError
from gridlock.web.net.limits import BODY
from gridlock.web.wire import messages, service

T = TypeVar("T", bound=messages.Body)
LONGEST_SENTENCE = 1000  # characters; an error may quote what a client sent
JSON = "application/json"


@dataclass(eq=False)
class ApiError(Exception):
    """An error response."""

    status: int
    code: str
    words: str
    retry: float = 0  # seconds after which to ask again


def no_token() -> ApiError:
    """Return the response to a request that needs a token but has none."""
    return ApiError(401, "token", "This request needs a token (Authorization: Bearer …).")


def no_page() -> ApiError:
    """Return the response to a request for an unknown address."""
    return ApiError(404, "not-found", "There is nothing here.")


def no_method() -> ApiError:
    """Return the response to a request whose method is not supported at its address."""
    return ApiError(405, "method", "This address doesn't support that method.")


def rejection(error: GridLockError) -> ApiError:
    """Return the response to a request that raised a GridLockError, for example because of an illegal move."""
    return ApiError(422, "illegal", str(error)[:LONGEST_SENTENCE])


def too_long() -> ApiError:
    """Return the response to a request whose body is too long."""
    return ApiError(413, "too-large", f"The request body is longer than {BODY} bytes.")


def decoded(body: bytes | bytearray, kind: type[T]) -> T:
    """Decode a request's body, checking it strictly."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, "malformed", f"The request body isn't valid: {error}") from None


def described(error: ApiError) -> service.Error:
    """Return an error in the form that clients receive."""
    words = error.words.encode(errors="replace").decode()  # an error may quote a lone surrogate, which has no encoding
    return service.Error(error.code, words)
