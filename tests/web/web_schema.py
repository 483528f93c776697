"""Check answers against the server's own description of them."""

from collections.abc import Callable

from jsonschema import Draft202012Validator

Fits = Callable[[object, str], bool]


def validator(schema: dict, schemas: dict) -> Draft202012Validator:
    """A check of a value against a schema that refers to others: it must match exactly."""
    strict = {
        name: one | {"additionalProperties": False} if "properties" in one else one for name, one in schemas.items()
    }
    return Draft202012Validator({**schema, "components": {"schemas": strict}})
