"""What the API refuses is refused with its own words, and what is just inside is answered."""

import base64
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.offline.known import MOST
from agent.offline.protocol import Answer, Request, Rules
from agent.offline.responder import OfflineGemini
from agent.offline.signatures import DUMMIES
from tests.offline.histories import (
    BROWSER,
    KEY,
    PATH,
    ask,
    calls,
    content,
    declared,
    message,
    one_search,
    responses,
    says,
    tool,
    two_calls,
)

BODIES = json.loads((Path(__file__).parent / "error_bodies.json").read_text("utf-8"))
"""The API's own answers, as people reported them."""

Contents = list[dict[str, Any]]
STRING = {"type": "STRING"}


def refusal(name: str) -> Answer:
    return Answer(BODIES[name]["status"], BODIES[name]["body"])


def without(contents: Contents, index: int) -> Contents:
    return contents[:index] + contents[index + 1 :]


def changed(contents: Contents, change: Callable[[Contents], Any]) -> Contents:
    contents = copy.deepcopy(contents)
    change(contents)
    return contents


def split_responses(contents: Contents) -> None:
    """One content per response, as the course's first code sends them."""
    first, second = contents.pop()["parts"]
    contents += [{"role": "user", "parts": [first]}, {"role": "user", "parts": [second]}]


LEGAL = {
    "a question": lambda: [says("Where is Oslo?")],
    "a question without a role": lambda: [{"parts": [{"text": "Where is Oslo?"}]}],
    "two user turns": lambda: [says("Where is Oslo?"), says("And Rome?")],
    "a call and its response": one_search,
    "two calls and both responses": two_calls,
    "responses in another order": lambda: changed(two_calls(), lambda c: c[2]["parts"].reverse()),
    "text before the call": lambda: changed(
        one_search(), lambda c: c[1]["parts"].insert(0, {"text": "Let me look."})
    ),
    "an empty text before the call": lambda: changed(
        one_search(), lambda c: c[1]["parts"].insert(0, {"text": ""})
    ),
    "a thought before the call": lambda: changed(
        one_search(), lambda c: c[1]["parts"].insert(0, {"text": "Hm.", "thought": True})
    ),
    "a call without arguments": lambda: changed(
        two_calls(), lambda c: c[1]["parts"][1]["functionCall"].update(args=None)
    ),
    "a later question": lambda: [
        *one_search(),
        {"role": "model", "parts": [{"text": "In Norway."}]},
        says("And Rome?"),
    ],
}

ILLEGAL: dict[str, tuple[Callable[[], Contents], str]] = {
    "nothing": (list, "e_contents_empty"),
    "a response first": (lambda: without(without(one_search(), 0), 0), "a_response_without_call"),
    "the call turn dropped": (lambda: without(one_search(), 1), "a_response_without_call"),
    "a response after a response": (
        lambda: [*one_search(), one_search()[2]],
        "a_response_without_call",
    ),
    "a call first": (lambda: without(one_search(), 0), "a2_call_turn_not_after_user"),
    "a call after model text": (
        lambda: [
            says("Where?"),
            {"role": "model", "parts": [{"text": "Hm."}]},
            *one_search()[1:],
        ],
        "a2_call_turn_not_after_user",
    ),
    "a call after a call": (
        lambda: [*one_search()[:2], *one_search()[1:]],
        "a2_call_turn_not_after_user",
    ),
    "one response of two": (
        lambda: changed(two_calls(), lambda c: c[2]["parts"].pop()),
        "bc_count",
    ),
    "three responses to two": (
        lambda: changed(two_calls(), lambda c: c[2]["parts"].append(c[2]["parts"][0])),
        "bc_count",
    ),
    "one content per response": (lambda: changed(two_calls(), split_responses), "bc_count"),
    "a text beside the response": (
        lambda: changed(one_search(), lambda c: c[2]["parts"].append({"text": "2 steps left"})),
        "bc_count",
    ),
    "a call left open": (lambda: [*one_search()[:2], says("And Rome?")], "bc_count"),
    "calls and responses in one turn": (
        lambda: [
            says("Where?"),
            {"role": "user", "parts": [*one_search()[1]["parts"], *one_search()[2]["parts"]]},
        ],
        "c2_mixed_turn",
    ),
    "the signature lost": (
        lambda: changed(one_search(), lambda c: c[1]["parts"][0].pop("thoughtSignature")),
        "d_signature",
    ),
    "an empty signature": (
        lambda: changed(one_search(), lambda c: c[1]["parts"][0].update(thoughtSignature="")),
        "d_signature",
    ),
    "the call rebuilt from name and arguments": (
        lambda: changed(
            one_search(),
            lambda c: c[1].update(
                parts=[{"functionCall": {"name": "Browser", "args": calls(c[1])[0]["args"]}}]
            ),
        ),
        "d_signature",
    ),
    "no parts": (
        lambda: [says("Where?"), {"role": "model", "parts": []}, says("Well?")],
        "e2_parts_empty",
    ),
    "parts left out": (
        lambda: [says("Where?"), {"role": "model"}, says("Well?")],
        "e2_parts_empty",
    ),
    "an unknown role": (lambda: [{"role": "assistant", "parts": [{"text": "Hi"}]}], "e3_role"),
    "the role function": (
        lambda: changed(one_search(), lambda c: c[2].update(role="function")),
        "e3_role",
    ),
    "a response without a name": (
        lambda: [
            says("Hello"),
            *changed(one_search(), lambda c: c[2]["parts"][0]["functionResponse"].pop("name")),
        ],
        "e4_response_name",
    ),
    "the model said the last word": (
        lambda: [says("Where?"), {"role": "model", "parts": [{"text": "There."}]}],
        "e5_ends_with_model",
    ),
    "the response dropped": (lambda: one_search()[:2], "e5_ends_with_model"),
    "the model speaks first": (
        lambda: [{"role": "model", "parts": [{"text": "Hello!"}]}, says("Where?")],
        "z_generic",
    ),
    "a call by the user": (
        lambda: changed(one_search(), lambda c: c[1].update(role="user")),
        "z_generic",
    ),
    "a response by the model": (
        lambda: [*changed(one_search(), lambda c: c[2].update(role="model")), says("Well?")],
        "z_generic",
    ),
    "another function's response": (
        lambda: changed(
            one_search(), lambda c: c[2]["parts"][0]["functionResponse"].update(name="Other")
        ),
        "z_generic",
    ),
    "another function's response, without ids": (
        lambda: [
            says("Where?"),
            {
                "role": "model",
                "parts": [{"functionCall": {"name": "Browser"}, "thoughtSignature": "c2lnLTE="}],
            },
            responses({"name": "Finder"}),
        ],
        "z_generic",
    ),
    "another call's id": (
        lambda: changed(
            one_search(), lambda c: c[2]["parts"][0]["functionResponse"].update(id="call_1")
        ),
        "z_generic",
    ),
    "one id for two responses": (
        lambda: changed(two_calls(), lambda c: c[2]["parts"][1]["functionResponse"].update(id="a")),
        "z_generic",
    ),
}


@pytest.mark.parametrize("history", LEGAL.values(), ids=LEGAL.keys())
def test_a_legal_history_is_answered(history: Callable[[], Contents]) -> None:
    assert ask(history(), BROWSER, declared("Finder")).status == 200


@pytest.mark.parametrize(("history", "name"), ILLEGAL.values(), ids=ILLEGAL.keys())
def test_an_illegal_history_gets_the_api_s_answer(
    history: Callable[[], Contents], name: str
) -> None:
    assert ask(history(), BROWSER, declared("Finder")) == refusal(name)


IN_PLACE: dict[str, tuple[Callable[[Contents], Any], str]] = {
    "an unknown field": (
        lambda c: c[0]["parts"][0].update(txt="x"),
        "Unknown name \"txt\" at 'contents[0].parts[0]': Cannot find field.",
    ),
    "a number for a text": (
        lambda c: c[0]["parts"][0].update(text=1),
        "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 1",
    ),
    "parts that JSON writes alike": (
        lambda c: c[0].update(parts=tuple(c[0]["parts"])),
        "Invalid value at 'contents[0].parts[0]'",
    ),
    "no parts": (lambda c: c[0]["parts"].clear(), "contents.parts must not be empty."),
    "other arguments": (
        lambda c: calls(c[1])[0]["args"].update(query="Rome"),
        "Corrupted thought signature.",
    ),
    "another name": (
        lambda c: c[2]["parts"][0]["functionResponse"].update(name="Other"),
        BODIES["z_generic"]["body"]["error"]["message"],
    ),
    "another role": (
        lambda c: c[2].update(role="function"),
        BODIES["e3_role"]["body"]["error"]["message"],
    ),
}


@pytest.mark.parametrize(("change", "told"), IN_PLACE.values(), ids=IN_PLACE.keys())
def test_a_history_that_was_changed_in_place_is_judged_anew(
    change: Callable[[Contents], Any], told: str
) -> None:
    """What was found out about a content is true of what it said then."""
    contents = one_search()
    before = copy.deepcopy(contents)
    for _ in range(2):
        assert ask(contents, BROWSER).status == 200
        change(contents)
        assert told in message(ask(contents, BROWSER))
        contents[:] = copy.deepcopy(before)


def test_what_a_content_says_is_counted_as_it_stands_now() -> None:
    def tokens() -> int:
        return ask(contents, BROWSER).body["usageMetadata"]["promptTokenCount"]

    contents = one_search()
    output = contents[2]["parts"][0]["functionResponse"]["response"]
    output["output"] = [1] * 100
    ones = tokens()
    output["output"] = [True] * 100  # equal to Python, and three letters longer each
    assert tokens() == ones + 75
    contents[0]["parts"][0]["text"] += "x" * 400
    assert tokens() == ones + 175
    output["output"] = "y" * 40_000  # more than is remembered
    longer = tokens()
    output["output"] = "y" * 40_400
    assert tokens() == longer + 100


def test_more_contents_than_are_remembered() -> None:
    contents = [says(f"{number:5}") for number in range(2 * MOST)]
    answers = [ask(contents, BROWSER) for _ in range(2)]
    assert answers[0].body["usageMetadata"] == answers[1].body["usageMetadata"]
    contents[MOST // 2]["role"] = "nobody"
    assert ask(contents, BROWSER) == refusal("e3_role")


@pytest.mark.parametrize("body", [None, {}, {"contents": None}, {"contents": []}])
def test_a_body_without_contents(body: Any) -> None:
    answer = OfflineGemini().respond(Request("POST", PATH, KEY, body))
    assert answer == refusal("e_contents_empty")


def test_every_field_fault_is_told_at_once() -> None:
    contents = [
        says("Where?"),
        {"role": "model", "parts": []},
        {"role": "user", "parts": [{}, {"functionResponse": {"response": {}}}]},
    ]
    assert message(ask(contents, declared("1st"))).splitlines() == [
        "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
        "* GenerateContentRequest.contents[2].parts[0].data: required oneof field 'data' must have "
        "one initialized field",
        "* GenerateContentRequest.contents[2].parts[1].function_response.name: "
        "Name cannot be empty.",
        "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. "
        "Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), "
        "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.",
    ]


def test_an_empty_instruction_is_refused() -> None:
    assert ask([says("Hi")], systemInstruction={"parts": [{"text": ""}]}).status == 200
    assert message(ask([says("Hi")], systemInstruction={"parts": []})) == (
        "* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.\n"
    )


# thought signatures


def signed(contents: Contents, change: Callable[[str], str]) -> Contents:
    part = contents[1]["parts"][0]
    part["thoughtSignature"] = change(part["thoughtSignature"])
    return contents


def flip(position: int) -> Callable[[str], str]:
    def change(written: str) -> str:
        data = bytearray(base64.b64decode(written))
        data[position] ^= 1
        return base64.b64encode(data).decode()

    return change


@pytest.mark.parametrize("position", [0, 5, 15, -1])
def test_an_altered_signature_is_corrupted(position: int) -> None:
    answer = ask(signed(one_search(), flip(position)), BROWSER)
    assert (answer.status, message(answer)) == (400, "Corrupted thought signature.")


def test_a_signature_belongs_to_its_call() -> None:
    contents = one_search()
    calls(contents[1])[0]["args"]["query"] += "!"
    assert message(ask(contents, BROWSER)) == "Corrupted thought signature."


def test_the_same_bytes_in_the_other_alphabet_are_intact() -> None:
    for question in map(str, range(40)):  # some of these signatures hold + or /
        contents = [says(question), content(ask([says(question)], BROWSER))]
        contents.append(responses(*calls(contents[1])))
        written = contents[1]["parts"][0]["thoughtSignature"]
        for other in (
            written.replace("+", "-").replace("/", "_"),
            written.rstrip("="),
        ):
            assert ask(signed(contents, lambda _, other=other: other), BROWSER).status == 200


@pytest.mark.parametrize("dummy", sorted(DUMMIES))
def test_the_documented_dummies_are_taken(dummy: str) -> None:
    assert ask(signed(one_search(), lambda _: dummy), BROWSER).status == 200


def test_a_foreign_signature_is_taken_for_a_foreign_call() -> None:
    contents = two_calls()
    assert ask(contents, BROWSER).status == 200
    contents[1]["parts"][0]["thoughtSignature"] = "not base64!"
    assert message(ask(contents, BROWSER)) == (
        "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), "
        'Base64 decoding failed for "not base64!"'
    )


def test_numbers_and_the_order_of_keys_do_not_break_a_signature() -> None:
    many = declared(
        "Browser",
        type="object",
        properties={"count": {"type": "integer"}, "page": {"type": "integer"}},
        required=["count", "page"],
    )
    config = {"functionCallingConfig": {"mode": "ANY"}}
    contents = [says("Where?")]
    contents.append(content(ask(contents, many, toolConfig=config)))
    call = calls(contents[1])[0]
    assert call["args"] == {"count": 0, "page": 0}
    call["args"] = {"page": 0.0, "count": 0}
    contents.append(responses(call))
    assert ask(contents, many).status == 200


def test_signatures_are_asked_for_in_the_current_turn_only() -> None:
    contents = one_search()
    del contents[1]["parts"][0]["thoughtSignature"]
    contents += [{"role": "model", "parts": [{"text": "In Norway."}]}, says("And Rome?")]
    assert ask(contents, BROWSER).status == 200
    contents[-2:] = contents[1:3]
    assert message(ask(contents, BROWSER)).endswith(
        "function call `default_api:Browser` , position 2. Please refer to "
        "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
    )


def test_every_step_of_the_turn_needs_its_own_signature() -> None:
    contents = one_search()
    contents += copy.deepcopy(contents[1:])
    assert ask(contents, BROWSER).status == 200
    del contents[3]["parts"][0]["thoughtSignature"]
    assert ", position 4." in message(ask(contents, BROWSER))


# ids


def test_ids_may_be_left_out_unless_the_rules_say_otherwise() -> None:
    contents = one_search()
    del contents[2]["parts"][0]["functionResponse"]["id"]
    assert ask(contents, BROWSER).status == 200
    assert ask(contents, BROWSER, rules=Rules(ids="echoed")) == refusal("z_generic")
    assert ask(one_search(), BROWSER, rules=Rules(ids="echoed")).status == 200


def test_a_call_without_an_id_needs_none_back() -> None:
    contents = one_search()
    del contents[1]["parts"][0]["functionCall"]["id"]
    del contents[2]["parts"][0]["functionResponse"]["id"]
    assert ask(contents, BROWSER, rules=Rules(ids="echoed")).status == 200


def test_older_endpoints_do_not_know_ids() -> None:
    contents = one_search()
    del contents[2]["parts"][0]["functionResponse"]["id"]
    answer = ask(contents, BROWSER, rules=Rules(ids="unknown"))
    expected = BODIES["m_id_unknown_field"]["body"]["error"]
    assert (answer.status, message(answer)) == (400, expected["message"])


def test_ids_are_unlike_any_in_the_history() -> None:
    contents = [says("Where is Oslo?")]
    for _ in range(20):
        called = content(
            ask(contents, BROWSER, toolConfig={"functionCallingConfig": {"mode": "ANY"}})
        )
        contents += [called, responses(*calls(called))]
    found = [call["id"] for turn in contents for call in calls(turn)]
    assert len(set(found)) == 20
    # the third call stood at the place that is next in this history, which was cut short
    trimmed = [contents[0], *contents[5:7], *contents[1:3]]
    again = calls(
        content(ask(trimmed, BROWSER, toolConfig={"functionCallingConfig": {"mode": "ANY"}}))
    )
    assert again[0]["id"] not in [call["id"] for turn in trimmed for call in calls(turn)]


# the JSON


def test_unknown_fields_are_named_together() -> None:
    answer = ask([says("Hi")], tooling=[], systemInstructions={})
    expected = BODIES["l_v1_unknown_top"]["body"]["error"]["message"]
    expected = expected.replace('"tools"', '"tooling"').replace(
        '"systemInstruction"', '"systemInstructions"'
    )
    lines = expected.splitlines()
    assert answer == Answer(
        400,
        {
            "error": {
                "code": 400,
                "message": expected,
                "status": "INVALID_ARGUMENT",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.BadRequest",
                        "fieldViolations": [{"description": line} for line in lines],
                    }
                ],
            }
        },
    )


def test_an_unknown_schema_field_is_named_by_its_place() -> None:
    schema = {"type": "OBJECT", "properties": {f"p{i}": STRING for i in range(6)}}
    odd = {"type": "OBJECT", "properties": {"a": STRING}, "additionalProperties": False}
    schema["properties"]["p6"] = {"type": "ARRAY", "items": {"anyOf": [odd]}}
    plain = [{**tool(type="OBJECT", properties={"q": STRING}), "name": f"t{i}"} for i in range(34)]
    answer = ask([says("Hi")], *plain, tool(**schema))
    expected = BODIES["i2_schema_unknown"]["body"]["error"]
    place = expected["details"][0]["fieldViolations"][0]["field"]
    assert answer.body["error"] == {
        **expected,
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": place, "description": expected["message"]}],
            }
        ],
    }
    del odd["additionalProperties"]
    assert ask([says("Hi")], *plain, tool(**schema)).status == 200


WRONG_KIND = {
    "a response that is a text": (
        lambda: changed(
            one_search(), lambda c: c[2]["parts"][0]["functionResponse"].update(response="text")
        ),
        "Invalid value at 'contents[2].parts[0].function_response.response' "
        '(type.googleapis.com/google.protobuf.Struct), "text"',
    ),
    "a response that is a list": (
        lambda: changed(
            one_search(), lambda c: c[2]["parts"][0]["functionResponse"].update(response=[])
        ),
        'Invalid JSON payload received. Unknown name "response" at '
        "'contents[2].parts[0].function_response': Proto field is not repeating, "
        "cannot start list.",
    ),
    "arguments that are a text": (
        lambda: changed(one_search(), lambda c: c[1]["parts"][0]["functionCall"].update(args="{}")),
        "Invalid value at 'contents[1].parts[0].function_call.args' "
        '(type.googleapis.com/google.protobuf.Struct), "{}"',
    ),
    "a text that is a number": (
        lambda: [{"role": "user", "parts": [{"text": 1}]}],
        "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 1",
    ),
    "a part that is a text": (
        lambda: [{"role": "user", "parts": ["Hi"]}],
        "Invalid value at 'contents[0].parts[0]' "
        '(type.googleapis.com/google.ai.generativelanguage.v1beta.Part), "Hi"',
    ),
    "contents that are a text": (
        lambda: "Hi",
        "Invalid value at 'contents[0]' "
        '(type.googleapis.com/google.ai.generativelanguage.v1beta.Content), "Hi"',
    ),
}


@pytest.mark.parametrize(("contents", "text"), WRONG_KIND.values(), ids=WRONG_KIND.keys())
def test_a_value_of_the_wrong_kind(contents: Callable[[], Any], text: str) -> None:
    answer = ask(contents(), BROWSER)
    assert (answer.status, message(answer)) == (400, text)


def test_a_body_that_is_no_object() -> None:
    answer = OfflineGemini().respond(Request("POST", PATH, KEY, [1]))
    assert message(answer) == (
        'Invalid JSON payload received. Unknown name "": Root element must be a message.'
    )


def test_one_object_may_stand_for_a_list_of_one() -> None:
    contents = {"role": "user", "parts": {"text": "Hi"}}
    assert ask(contents, system_instruction={"parts": {"text": "Be short."}}).status == 200


def test_not_a_number_is_no_json() -> None:
    contents = one_search()
    contents[2]["parts"][0]["functionResponse"]["response"] = {"output": float("nan")}
    answer = ask(contents, BROWSER)
    assert answer.status == 400
    assert message(answer).startswith("Invalid JSON payload received. Unexpected token.")


def test_nesting_without_end_is_refused() -> None:
    schema: dict[str, Any] = STRING
    for _ in range(3000):
        schema = {"type": "ARRAY", "items": schema}
    body = {"contents": [says("Hi")], "tools": [{"functionDeclarations": [tool(**schema)]}]}
    answer = OfflineGemini().respond(Request("POST", PATH, KEY, body))
    assert answer == refusal("z_generic")


def test_both_spellings_mean_the_same() -> None:
    contents = one_search()
    snake = json.loads(
        json.dumps(contents)
        .replace("functionCall", "function_call")
        .replace("functionResponse", "function_response")
        .replace("thoughtSignature", "thought_signature")
    )
    declaration = {**BROWSER, "parameters_json_schema": BROWSER["parametersJsonSchema"]}
    del declaration["parametersJsonSchema"]
    camel_answer = ask(contents, BROWSER, systemInstruction={"parts": [{"text": "Be short."}]})
    body = {
        "contents": snake,
        "tools": [{"function_declarations": [declaration]}],
        "system_instruction": {"role": "user", "parts": [{"text": "Be short."}]},
    }
    snake_answer = OfflineGemini().respond(Request("POST", PATH, KEY, body))
    assert isinstance(snake_answer, Answer)
    for answer in (camel_answer, snake_answer):
        del answer.body["responseId"]
    assert snake_answer == camel_answer


# declarations


NAMES = {
    "a letter": ("a", True),
    "an underscore": ("_", True),
    "every mark": ("a_b.c:d-9", True),
    "64 characters": ("a" * 64, True),
    "65 characters": ("a" * 65, False),
    "a digit first": ("1a", False),
    "a space": ("a b", False),
    "Hangul": ("검색", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("name", "good"), NAMES.values(), ids=NAMES.keys())
def test_function_names(name: str, good: bool) -> None:
    plain = [declared(f"t{i}") for i in range(23)]
    answer = ask([says("Hi")], *plain, declared(name))
    assert (answer.status == 200) if good else (answer == refusal("i_fn_name"))


def test_a_name_may_be_declared_once() -> None:
    assert ask([says("Hi")], declared("find"), declared("find_it")).status == 200
    answer = ask([says("Hi")], declared("find"), declared("find"))
    assert message(answer) == "Duplicate function declaration found: find"


SCHEMAS: dict[str, tuple[dict[str, Any], str]] = {
    "an object with a property": ({"type": "OBJECT", "properties": {"q": STRING}}, ""),
    "an object without": ({"type": "OBJECT"}, "properties: should be non-empty for OBJECT type"),
    "an object with none": (
        {"type": "object", "properties": {}},
        "properties: should be non-empty for OBJECT type",
    ),
    "an object inside": (
        {"type": "OBJECT", "properties": {"q": {"type": "OBJECT"}}},
        "properties[q].properties: should be non-empty for OBJECT type",
    ),
    "properties of a text": (
        {"type": "OBJECT", "properties": {"q": {**STRING, "properties": {"a": STRING}}}},
        "properties[q].properties: only allowed for OBJECT type",
    ),
    "a list of something": (
        {"type": "OBJECT", "properties": {"q": {"type": "ARRAY", "items": {}}}},
        "",
    ),
    "a list of nothing": (
        {"type": "OBJECT", "properties": {"q": {"type": "ARRAY"}}},
        "properties[q].items: missing field.",
    ),
    "a choice of texts": (
        {"type": "OBJECT", "properties": {"q": {**STRING, "enum": ["a", "b"]}}},
        "",
    ),
    "a choice of numbers": (
        {"type": "OBJECT", "properties": {"q": {"type": "INTEGER", "enum": ["1"]}}},
        "properties[q].enum: only allowed for STRING type",
    ),
    "a required property": (
        {"type": "OBJECT", "properties": {"q": STRING}, "required": ["q"]},
        "",
    ),
    "a required stranger": (
        {"type": "OBJECT", "properties": {"q": STRING}, "required": ["q", "p"]},
        "required[1]: property is not defined",
    ),
    "a default, which is ignored": (
        {"type": "OBJECT", "properties": {"q": {**STRING, "default": "x"}}},
        "",
    ),
}


@pytest.mark.parametrize(("schema", "fault"), SCHEMAS.values(), ids=SCHEMAS.keys())
def test_schemas(schema: dict[str, Any], fault: str) -> None:
    answer = ask([says("Hi")], tool(**schema))
    place = "* GenerateContentRequest.tools[0].function_declarations[0].parameters."
    assert (answer.status == 200) if not fault else (message(answer) == f"{place}{fault}\n")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (
            {**STRING, "enum": [1]},
            "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value"
            ".enum[0]' (TYPE_STRING), 1",
        ),
        (
            {"type": ["string", "null"]},
            'Invalid JSON payload received. Unknown name "type" at '
            "'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is "
            "not repeating, cannot start list.",
        ),
        (
            {"type": "text"},
            "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value"
            '.type\' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "text"',
        ),
        (
            {"$ref": "#/$defs/x"},
            'Invalid JSON payload received. Unknown name "$ref" at '
            "'tools[0].function_declarations[0].parameters.properties[0].value': "
            "Cannot find field.",
        ),
    ],
)
def test_schema_values_of_the_wrong_kind(schema: dict[str, Any], text: str) -> None:
    answer = ask([says("Hi")], tool(type="OBJECT", properties={"q": schema}))
    assert message(answer) == text


def test_json_schema_is_taken_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {
            "any": {"type": "object", "additionalProperties": {"type": "integer"}},
            "list": {"type": "array", "items": {}},
            "one": {"type": "integer", "enum": [1, 2], "default": 1},
        },
        "required": ["any"],
        "additionalProperties": False,
    }
    assert ask([says("Hi")], declared("find", **schema)).status == 200
    both = {**declared("find"), **tool(type="OBJECT", properties={"q": STRING})}
    assert ask([says("Hi")], both) == refusal("z_generic")


def test_a_calling_mode_needs_declarations() -> None:
    config = {"functionCallingConfig": {"mode": "AUTO"}}
    assert ask([says("Hi")], BROWSER, toolConfig=config).status == 200
    assert ask([says("Hi")], toolConfig=config) == refusal("i3_toolconfig_without_decl")
    assert ask([says("Hi")], toolConfig={}).status == 200


def test_a_calling_mode_must_exist() -> None:
    for mode in ("AUTO", "ANY", "NONE", "VALIDATED", "any"):
        config = {"functionCallingConfig": {"mode": mode}}
        assert ask([says("Hi")], BROWSER, toolConfig=config).status == 200
    config = {"functionCallingConfig": {"mode": "ALWAYS"}}
    assert message(ask([says("Hi")], BROWSER, toolConfig=config)) == (
        "Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google."
        'ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), "ALWAYS"'
    )


# models, keys, levels


def call_path(path: str, method: str = "POST", headers: dict[str, str] = KEY) -> Answer:
    answer = OfflineGemini().respond(Request(method, path, headers, {"contents": [says("Hi")]}))
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize("version", ["v1", "v1beta"])
@pytest.mark.parametrize("method", ["generateContent", "streamGenerateContent", "countTokens"])
def test_unknown_models(version: str, method: str) -> None:
    assert call_path(f"/{version}/models/gemini-3.8-flash:{method}").status == 200
    expected = copy.deepcopy(BODIES["j_model"])
    error = expected["body"]["error"]
    error["message"] = error["message"].replace("v1beta", version)
    assert call_path(f"/{version}/models/gemini-pro:{method}") == Answer(404, expected["body"])


def test_latest_names_are_known_to_v1beta_only() -> None:
    assert call_path("/v1beta/models/gemini-flash-latest:generateContent").status == 200
    assert call_path("/v1/models/gemini-flash-latest:generateContent").status == 404
    assert call_path("/v1/models/gemini-2.0-flash:generateContent").status == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/"),
        ("POST", "/v2/models/offline:generateContent"),
        ("POST", "/v1beta/models"),
        ("POST", "/v1beta/models/offline"),
        ("GET", "/v1beta/models/offline:generateContent"),
        ("POST", "/v1beta/models/offline:embedContent"),
    ],
)
def test_other_paths_are_not_found(method: str, path: str) -> None:
    answer = call_path(path, method)
    assert (answer.status, answer.body["error"]["status"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_models_are_listed_and_described(version: str) -> None:
    listed = call_path(f"/{version}/models?pageSize=50", "GET").body["models"]
    names = [each["name"] for each in listed]
    assert {"models/offline", "models/gemini-3.8-flash"} <= set(names)
    assert ("models/gemini-flash-latest" in names) == (version == "v1beta")
    assert call_path(f"/{version}/models/offline", "GET") == Answer(200, listed[0])


def test_a_key_must_come_and_may_come_in_three_ways() -> None:
    path = "/v1beta/models/offline:generateContent"
    assert call_path(path, headers={}) == refusal("f2_key_missing")
    assert call_path(path, headers={"x-goog-api-key": " "}) == refusal("f2_key_missing")
    assert call_path(path, headers={"X-Goog-Api-Key": "k"}).status == 200
    assert call_path(path, headers={"Authorization": "Bearer k"}).status == 200
    assert call_path(f"{path}?key=k", headers={}).status == 200


def test_a_key_can_be_wrong_only_when_the_rules_name_the_right_one() -> None:
    rules = Rules(keys={"right"})
    right, wrong = {"x-goog-api-key": "right"}, {"x-goog-api-key": "wrong"}
    assert ask([says("Hi")], rules=rules, headers=right).status == 200
    assert ask([says("Hi")], rules=rules, headers=wrong) == refusal("f_key_invalid")
    assert ask([says("Hi")], headers=wrong).status == 200


def test_a_gateway_may_need_no_key() -> None:
    assert ask([says("Hi")], headers={}, rules=Rules(anonymous=True)).status == 200


@pytest.mark.parametrize(
    ("model", "level", "name"),
    [
        ("gemini-3.8-flash", "MINIMAL", "k_thinking_level"),
        ("gemini-3.8-flash", "low", ""),
        ("gemini-3.6-flash", "MINIMAL", ""),
        ("gemini-2.5-flash", "LOW", "k2_thinking_level_25"),
        ("offline", "MINIMAL", ""),
    ],
)
def test_thinking_levels(model: str, level: str, name: str) -> None:
    path = f"/v1/models/{model}:generateContent"
    generation = {"thinkingConfig": {"thinking_level": level, "include_thoughts": True}}
    answer = ask([says("Hi")], path=path, generationConfig=generation)
    assert (answer == refusal(name)) if name else (answer.status == 200)


# counting


def test_tokens_are_a_quarter_of_the_bytes() -> None:
    counted = "/v1/models/offline:countTokens"

    def tokens(text: str) -> int:
        return ask([says(text)], path=counted).body["totalTokens"]

    empty = tokens("")
    assert tokens("a" * 400) - empty == 100
    assert tokens("가" * 400) - empty == 300
    whole = {"generateContentRequest": {"contents": [says("가" * 400)]}}
    answer = OfflineGemini().respond(Request("POST", counted, KEY, whole))
    assert isinstance(answer, Answer)
    assert answer.body["totalTokens"] == tokens("가" * 400)


def test_usage_adds_up_and_grows_with_the_history() -> None:
    contents = one_search()
    first, second = ask(contents[:1], BROWSER), ask(contents, BROWSER)
    for answer in (first, second):
        usage = answer.body["usageMetadata"]
        assert usage["promptTokenCount"] + usage["candidatesTokenCount"] == usage["totalTokenCount"]
        assert min(usage.values()) > 0
    assert (
        second.body["usageMetadata"]["promptTokenCount"]
        > first.body["usageMetadata"]["promptTokenCount"]
    )
    assert first.body["modelVersion"] == "bareloop-offline"
    assert first.body["responseId"] != second.body["responseId"]
