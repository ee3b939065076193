"""Who may search what: a corpus or a source of one names the permission that it asks for."""

from __future__ import annotations

PUBLIC = "public"
"""The permission that everybody has."""

NAMELESS_PERMISSION = f'a name is needed; "{PUBLIC}" lets everybody search'
