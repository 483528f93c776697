"""Write the server's messages as TypeScript declarations, from the structures themselves.

python .ci/page_types.py > src/gridlock/web/answers.d.ts
"""

import inspect
import json
from typing import Any

from msgspec.json import schema_components

from gridlock.web.wire import answers, findings, service

HEADER = (
    "// What the server says. Made by .ci/page_types.py from its own structures, and compared with them by a test.\n"
)
REF = "#/components/schemas/"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
OBJECT = "Record<string, unknown>"  # a game's definition: data that a page passes on


def declarations() -> str:
    """Return every structure that the server sends, and its fields."""
    own = [
        one
        for module in (answers, findings, service)
        for _, one in inspect.getmembers(module, inspect.isclass)
        if one.__module__ == module.__name__
    ]
    structures = [one for one in own if not one.__subclasses__()]
    _, schemas = schema_components(structures, ref_template=REF + "{name}")
    return "\n".join([HEADER, *(_declaration(name, schema) for name, schema in sorted(schemas.items()))])


def _declaration(name: str, schema: dict[str, Any]) -> str:
    words = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{words}export type {name} = {_type(schema)};\n"
    required = schema.get("required", [])
    fields = (
        f"  {field}{'' if field in required else '?'}: {_type(part)};\n" for field, part in schema["properties"].items()
    )
    return f"{words}export interface {name} {{\n{''.join(fields)}}}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(
            dict.fromkeys("number" if isinstance(one, int) else json.dumps(one) for one in schema["enum"])
        )
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
    if schema["type"] == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    return OBJECT if schema["type"] == "object" else PLAIN[schema["type"]]


if __name__ == "__main__":
    print(declarations(), end="")
