"""Tokens: who holds one may play or watch. Only their hashes are kept."""

import base64
import hashlib
import hmac
import secrets

LENGTH = 32  # characters, for 192 bits
_BYTES = 24


def new_token() -> str:
    """A fresh token that nobody can guess."""
    return secrets.token_urlsafe(_BYTES)


def new_game_id() -> str:
    """A fresh public name for a game."""
    return secrets.token_urlsafe(16)


def derived(token: str, purpose: str) -> str:
    """Another token that follows from one; it tells nothing about the one it follows from."""
    made = hmac.digest(token.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(made[:_BYTES]).decode()


def watching(seat: str) -> str:
    """The token with which others may watch, for the holder of a seat to give away."""
    return derived(seat, "watch")


def invitation(seat: str) -> str:
    """The token that is exchanged for the other seat."""
    return derived(seat, "invitation")


def joining(invitation: str, nonce: str) -> str:
    """The seat token that an invitation is exchanged for; the nonce keeps it from whoever wrote the invitation."""
    return derived(invitation, f"seat {nonce}")


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, stored: str | None) -> bool:
    """Whether a token is the one whose hash was stored, compared in constant time."""
    return hmac.compare_digest(digest(token), stored or "")
