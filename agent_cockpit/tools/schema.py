"""What a model is told about a tool's input: plain JSON schema, read from the input model."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict


class ToolInput(BaseModel):
    """Base of every tool's input; a field that does not exist is an error the model reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@lru_cache(maxsize=256)
def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of `model` without titles, references and alternatives with null.

    Some servers know no `$ref` and no `anyOf`; an optional field is one that is not required.
    Kept, since every model call needs all of them: whoever reads it leaves it as it is.
    """
    raw = model.model_json_schema()
    schema = _plain(raw, raw.get("$defs", {}))
    schema.pop("description", None)
    schema.setdefault("properties", {})
    return schema


def _plain(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        return _plain({**named, **{k: v for k, v in schema.items() if k != "$ref"}}, definitions)
    if "anyOf" in schema:
        choices = [each for each in schema["anyOf"] if each.get("type") != "null"]
        if len(choices) == 1:
            rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
            return _plain({**choices[0], **rest}, definitions)
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "$defs"):
            continue
        if key == "properties":
            plain[key] = {name: _plain(each, definitions) for name, each in value.items()}
        elif key == "anyOf":
            plain[key] = [_plain(each, definitions) for each in value]
        elif isinstance(value, dict) and key == "items":
            plain[key] = _plain(value, definitions)
        else:
            plain[key] = value
    if plain.get("type") == "array":
        plain.setdefault("items", {})
    return plain
