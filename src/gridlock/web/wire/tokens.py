"""Tokens that allow their holders to play or watch. Only their hashes are stored."""

import base64
import hashlib
import hmac
import secrets

_BYTES = 24  # 192 bits, which are 32 characters


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(_BYTES)


def new_game_id() -> str:
    """Return a random public id for a game."""
    return secrets.token_urlsafe(16)


def derived(token: str, purpose: str) -> str:
    """Derive a token from another one, which it does not reveal."""
    made = hmac.digest(token.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(made[:_BYTES]).decode()


def watching(seat: str) -> str:
    """Return the token for spectators, which the holder of a seat may give away."""
    return derived(seat, "watch")


def invitation(seat: str) -> str:
    """Return the token that can be exchanged for the other seat."""
    return derived(seat, "invitation")


def back(seat: str) -> str:
    """Return what shows that a new connection is a player's who was here before; it allows nothing else."""
    return derived(seat, "back")


def joining(invitation: str, nonce: str) -> str:
    """Return the seat token for an invitation; because of the nonce, the player who invited cannot know it."""
    return derived(invitation, f"seat {nonce}")


def digest(token: str) -> str:
    """Return the hash of a token, as it is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, stored: str | None) -> bool:
    """Return whether a token has the stored hash, comparing in constant time."""
    return hmac.compare_digest(digest(token), stored or "")
