"""Tokens that allow their holders to play or watch. Only the tokens' hashes are stored."""

import base64
import hashlib
import hmac
import secrets

_BYTES = 24  # 192 bits, or 32 characters


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(_BYTES)


def new_game_id() -> str:
    """Return a random public id for a game."""
    return secrets.token_urlsafe(16)


def derived(token: str, purpose: str) -> str:
    """Derive a token from another token without revealing the original."""
    made = hmac.digest(token.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(made[:_BYTES]).decode()


def watching(seat: str) -> str:
    """Return the token for spectators, which a player may share."""
    return derived(seat, "watch")


def invitation(seat: str) -> str:
    """Return the token that can be exchanged for the other seat."""
    return derived(seat, "invitation")


def back(seat: str) -> str:
    """Return a token whose only use is to show that a new connection belongs to a returning player."""
    return derived(seat, "back")


def joining(invitation: str, nonce: str) -> str:
    """Return the seat token for an invitation; because of the nonce, the inviting player cannot know the token."""
    return derived(invitation, f"seat {nonce}")


def digest(token: str) -> str:
    """Return a token's hash, in the same form as stored hashes."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, stored: str | None) -> bool:
    """Return whether a token has the stored hash, comparing in constant time."""
    return hmac.compare_digest(digest(token), stored or "")
