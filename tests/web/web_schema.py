"""Answers checked against the description that the server gives of them."""

from collections.abc import Callable

from jsonschema import Draft202012Validator

Fits = Callable[[object, str], bool]


def validator(schema: dict, schemas: dict) -> Draft202012Validator:
    """Checks a value against a schema that refers to others: it must be that, neither more nor less."""
    strict = {
        name: one | {"additionalProperties": False} if "properties" in one else one for name, one in schemas.items()
    }
    return Draft202012Validator({**schema, "components": {"schemas": strict}})
