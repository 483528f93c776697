"""Checks that responses match the server's own OpenAPI description."""

from collections.abc import Callable

from jsonschema import Draft202012Validator

Fits = Callable[[object, str], bool]


def validator(schema: dict, schemas: dict) -> Draft202012Validator:
    """Return a strict validator for a schema that may refer to other schemas."""
    strict = {
        name: one | {"additionalProperties": False} if "properties" in one else one for name, one in schemas.items()
    }
    return Draft202012Validator({**schema, "components": {"schemas": strict}})
