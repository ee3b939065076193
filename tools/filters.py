"""Hard filters: conditions that an item must keep before any score is looked at.

A filter is one field of ``Filters``: its type, what it means (with its unit), and the rule that
compares it with an attribute of the item. ``--where``, the model's tool and every check are read
from there. The person's filters bind: a model may tighten them and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self, get_args

from tools.arguments import Bounds
from tools.patterns import lazy_pattern
from tools.problems import FilterError, ToolProblem
from tools.tokens import fold

Connection = Literal["usb-c", "bluetooth"]

_CONDITION = lazy_pattern(r"(\w+) ?([<>=!≤≥]+) ?(.*)")
_WHOLE_NUMBER = lazy_pattern(r"[0-9]{1,18}|[0-9]{1,3}(?:,[0-9]{3}){1,5}")


class Rule(Protocol):
    """How the value of one filter is written, checked and compared."""

    @property
    def operator(self) -> str:
        """What stands between name and value."""
        ...

    def read(self, text: str) -> Any:
        """The value that ``text`` writes; a text it cannot read, as it is, for ``check``."""
        ...

    def check(self, name: str, value: Any) -> None:
        """Raises FilterError for a value that the filter cannot have."""
        ...

    def keeps(self, value: Any, item: object) -> bool:
        """Whether ``item`` meets the condition."""
        ...

    def within(self, value: Any, bound: Any) -> bool:
        """Whether every item that ``value`` lets through passes ``bound`` too."""
        ...

    def nearest(self, item: object) -> Any:
        """The value that would just let ``item`` through."""
        ...


@dataclass(frozen=True)
class AtMost:
    """A whole number that the attribute may reach and not exceed."""

    attribute: str
    unit: str
    operator: ClassVar[str] = "<="

    def read(self, text: str) -> int | str:
        return int(text.replace(",", "")) if _WHOLE_NUMBER.fullmatch(text) else text

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise FilterError("amount", name=name, unit=self.unit, given=value)

    def keeps(self, value: int, item: object) -> bool:
        return int(getattr(item, self.attribute)) <= value

    def within(self, value: int, bound: int) -> bool:
        return value <= bound

    def nearest(self, item: object) -> int:
        return int(getattr(item, self.attribute))


@dataclass(frozen=True)
class OneOf:
    """One of a few words that the attribute must be."""

    attribute: str
    choices: tuple[str, ...]
    operator: ClassVar[str] = "="

    def read(self, text: str) -> str:
        return text

    def check(self, name: str, value: Any) -> None:
        if value not in self.choices:
            raise FilterError("choice", name=name, choices=", ".join(self.choices), given=value)

    def keeps(self, value: str, item: object) -> bool:
        return bool(getattr(item, self.attribute) == value)

    def within(self, value: str, bound: str) -> bool:
        return value == bound

    def nearest(self, item: object) -> str:
        return str(getattr(item, self.attribute))


@dataclass(frozen=True)
class AtLeastOne:
    """A switch: when it is on, the attribute must be above zero."""

    attribute: str
    operator: ClassVar[str] = "="

    def read(self, text: str) -> bool | str:
        return {"true": True, "false": False}.get(text, text)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise FilterError("choice", name=name, choices="true, false", given=value)

    def keeps(self, value: bool, item: object) -> bool:
        return not value or int(getattr(item, self.attribute)) > 0

    def within(self, value: bool, bound: bool) -> bool:
        return value or not bound

    def nearest(self, item: object) -> bool:
        return int(getattr(item, self.attribute)) > 0


@dataclass(frozen=True)
class Filters:
    """The conditions of one search; None, or false for a switch, means no condition.

    Raises FilterError for a value that makes no sense.
    """

    max_won: Annotated[int | None, "Highest price, in whole won", Bounds(0)] = field(
        default=None, metadata={"rule": AtMost("price_won", "won")}
    )
    connection: Annotated[Connection | None, "How it must connect"] = field(
        default=None, metadata={"rule": OneOf("connection", get_args(Connection))}
    )
    in_stock: Annotated[bool, "true: only what can be bought now"] = field(
        default=True, metadata={"rule": AtLeastOne("stock")}
    )
    max_grams: Annotated[int | None, "Highest weight, in whole grams", Bounds(0)] = field(
        default=None, metadata={"rule": AtMost("grams", "g")}
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not each.default:
                self._rule(each.name).check(each.name, value)

    @property
    def conditions(self) -> dict[str, str]:
        """Filter -> its condition as it is written, of the filters that are on."""
        names = (each.name for each in fields(self))
        return {name: self.written(name, getattr(self, name)) for name in names if self._on(name)}

    @property
    def told(self) -> str:
        """Every condition in one line: ``max_won<=100000, in_stock=true``."""
        return ", ".join(self.conditions.values()) or "no condition"

    @classmethod
    def written(cls, name: str, value: Any) -> str:
        """A condition as ``--where`` takes it."""
        shown = str(value).lower() if isinstance(value, bool) else value
        return f"{name}{cls._rule(name).operator}{shown}"

    @classmethod
    def read(cls, conditions: Sequence[str]) -> Self:
        """The filters that these conditions write. Raises FilterError."""
        values: dict[str, Any] = {}
        for given in map(fold, conditions):
            name, operator, text = cls._parts(given)
            rule = cls._rule(name)
            if operator != rule.operator:
                example = f"{name}{rule.operator}..."
                raise FilterError("operator", name=name, expected=example, given=given)
            if name in values:
                raise FilterError("twice", name=name)
            values[name] = rule.read(text)
        return cls(**values)

    def broken_by(self, item: object) -> list[str]:
        """The filters whose condition ``item`` does not meet."""
        return [
            name
            for name in self.conditions
            if not self._rule(name).keeps(getattr(self, name), item)
        ]

    def tightened(self, asked: Mapping[str, Any]) -> Self:
        """These filters with the tighter values that a model ``asked`` for; None asks nothing, and
        a filter that is off may be set. Raises ToolProblem for a value that would let through
        what these do not."""
        wanted = {name: value for name, value in asked.items() if value is not None}
        for name, value in wanted.items():
            rule = self._rule(name)
            rule.check(name, value)
            if self._on(name) and not rule.within(value, getattr(self, name)):
                raise ToolProblem(
                    "filter_loosened",
                    f"{self.conditions[name]} is fixed by the person and cannot become "
                    f"{self.written(name, value)}; filters can only be tightened.",
                    filter=name,
                    fixed=self.conditions[name],
                    asked=self.written(name, value),
                )
        return replace(self, **wanted)

    def within(self, others: Filters) -> bool:
        """Whether every item that these let through passes ``others`` too."""
        return all(
            self._on(name) and self._rule(name).within(getattr(self, name), getattr(others, name))
            for name in others.conditions
        )

    def admitting(self, name: str, item: object) -> str:
        """The condition that filter ``name`` would need for ``item``, as it is written."""
        return self.written(name, self._rule(name).nearest(item))

    def _on(self, name: str) -> bool:
        value = getattr(self, name)
        return value is not None and value is not False

    @classmethod
    def _rule(cls, name: str) -> Rule:
        rules: dict[str, Rule] = {each.name: each.metadata["rule"] for each in fields(cls)}
        if name not in rules:
            raise FilterError("unknown", name=name, names=", ".join(rules))
        return rules[name]

    @staticmethod
    def _parts(given: str) -> tuple[str, str, str]:
        match = _CONDITION.fullmatch(given)
        if match is None:
            raise FilterError("form", given=given)
        return match[1], match[2], match[3]


def parse_where(*conditions: str) -> Filters:
    """The filters that a person gave, one condition in each text; all of them must hold. Nothing
    is guessed: raises FilterError for a condition that is not written exactly."""
    return Filters.read(conditions)
