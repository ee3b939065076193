"""The official SDK in front of the offline Gemini, as a stranger's program uses it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google import genai
from google.genai import errors, types

from agent.messages import user
from agent.offline.model import OfflineModel
from tests.offline.histories import BROWSER

QUESTION = "What is the weather in Oslo?"


@pytest.fixture(scope="module")
def client(url: str) -> genai.Client:
    return connect(url)


def connect(url: str, version: str = "v1") -> genai.Client:
    options = types.HttpOptions(base_url=url, api_version=version, timeout=10_000)
    return genai.Client(api_key="offline", http_options=options)


# a loop somebody else wrote: own declarations, no system instruction, plain texts as results


def search_handbook(query: str) -> str:
    """Search the handbook."""
    return "No results found."


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return "Oslo: rain, 4 degrees"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (search_handbook, get_weather, add)
}
TOOLS = types.Tool(
    function_declarations=[
        types.FunctionDeclaration.from_callable_with_api_option(
            callable=function, api_option="GEMINI_API"
        )
        for function in FUNCTIONS.values()
    ]
)
CONFIG = types.GenerateContentConfig(tools=[TOOLS])

Contents = list[types.Content]
Send = Callable[[genai.Client, Contents], types.Content]


def send(client: genai.Client, contents: Contents) -> types.Content:
    response = client.models.generate_content(
        model="gemini-3.8-flash", contents=contents, config=CONFIG
    )
    assert response.candidates and response.candidates[0].content
    return response.candidates[0].content


def send_streaming(client: genai.Client, contents: Contents) -> types.Content:
    parts: list[types.Part] = []
    chunks = list(
        client.models.generate_content_stream(
            model="gemini-3.8-flash", contents=contents, config=CONFIG
        )
    )
    for chunk in chunks:
        assert chunk.candidates and chunk.candidates[0].content
        parts += chunk.candidates[0].content.parts or []
    finishes = [chunk.candidates[0].finish_reason for chunk in chunks if chunk.candidates]
    assert finishes == [None] * (len(chunks) - 1) + [types.FinishReason.STOP]
    assert [chunk.usage_metadata is not None for chunk in chunks] == [
        finish is not None for finish in finishes
    ]
    return types.Content(role="model", parts=parts)


def answered(call: types.FunctionCall, with_id: bool = True) -> types.Part:
    assert call.name
    result = {"result": FUNCTIONS[call.name](**(call.args or {}))}
    if not with_id:
        return types.Part.from_function_response(name=call.name, response=result)
    response = types.FunctionResponse(id=call.id, name=call.name, response=result)
    return types.Part(function_response=response)


def calls(content: types.Content) -> list[types.FunctionCall]:
    return [part.function_call for part in content.parts or [] if part.function_call]


def loop(client: genai.Client, send: Send, with_id: bool = True) -> tuple[str, Contents]:
    """The stranger's loop: the answer and the whole history."""
    contents = [types.Content(role="user", parts=[types.Part(text=QUESTION)])]
    for _ in range(5):
        content = send(client, contents)
        contents.append(content)
        if not calls(content):
            return "".join(part.text or "" for part in content.parts or []), contents
        parts = [answered(call, with_id) for call in calls(content)]
        contents.append(types.Content(role="user", parts=parts))
    raise AssertionError("no answer within five requests")


@pytest.mark.parametrize("send", [send, send_streaming])
@pytest.mark.parametrize("with_id", [True, False])
def test_a_stranger_s_loop_comes_to_an_answer(
    client: genai.Client, send: Send, with_id: bool
) -> None:
    answer, contents = loop(client, send, with_id)
    made = [(call.name, call.args) for content in contents for call in calls(content)]
    assert made == [
        ("get_weather", {"city": QUESTION}),
        ("search_handbook", {"query": QUESTION}),
    ]
    assert answer == (
        "This is the offline model (no LLM): quotes, does not compose.\n"
        "Oslo: rain, 4 degrees [get_weather]"
    )


def test_the_sdk_s_own_loop_works_too(client: genai.Client) -> None:
    response = client.models.generate_content(
        model="gemini-3.8-flash",
        contents=QUESTION,
        config=types.GenerateContentConfig(tools=[get_weather]),
    )
    assert response.text is not None
    assert response.text.endswith("Oslo: rain, 4 degrees [get_weather]")


def test_a_chat_goes_on(client: genai.Client) -> None:
    chat = client.chats.create(model="offline", config=CONFIG)
    assert calls(chat.send_message(QUESTION).candidates[0].content)  # type: ignore[index,union-attr,arg-type]
    chat = client.chats.create(model="offline")
    for text in ("Hello!", "And you?"):
        assert "offline model" in (chat.send_message(text).text or "")


# breaking a legal history


def lose(content: types.Content) -> None:
    assert content.parts
    content.parts[0].thought_signature = None


def alter(content: types.Content) -> None:
    assert content.parts and content.parts[0].thought_signature
    signature = bytearray(content.parts[0].thought_signature)
    signature[-1] ^= 1
    content.parts[0].thought_signature = bytes(signature)


def doubled(contents: Contents) -> Contents:
    """The same step with two parallel calls, answered in one content each."""
    asked, called, response = contents[:3]
    twice = types.Content(role="model", parts=[*(called.parts or []), *(called.parts or [])])
    return [asked, twice, response, response]


BREAKS: dict[str, tuple[Callable[[Contents], Any], str]] = {
    "drop the call turn": (
        lambda c: [c[0], *c[2:3]],
        "Please ensure that function response turn comes immediately after a function call turn.",
    ),
    "drop the response": (
        lambda c: [*c[:2], types.Content(role="user", parts=[types.Part(text="Well?")])],
        "Please ensure that the number of function response parts is equal to the number of "
        "function call parts of the function call turn.",
    ),
    "drop the question": (
        lambda c: c[1:3],
        "Please ensure that function call turn comes immediately after a user turn or after a "
        "function response turn.",
    ),
    "one content per parallel response": (
        doubled,
        "Please ensure that the number of function response parts is equal to the number of "
        "function call parts of the function call turn.",
    ),
    "lose the signature": (
        lambda c: lose(c[1]) or c[:3],
        "Function call is missing a thought_signature in functionCall parts. This is required for "
        "tools to work correctly, and missing thought_signature may lead to degraded model "
        "performance. Additional data, function call `default_api:get_weather` , position 2. "
        "Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more "
        "details.",
    ),
    "alter the signature": (lambda c: alter(c[1]) or c[:3], "Corrupted thought signature."),
    "empty parts": (
        lambda c: [*c[:1], types.Content(role="model", parts=[]), c[0]],
        "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n",
    ),
    "end with the model": (
        lambda c: c[:2],
        "Please ensure that multiturn requests ends with a user role or a function response.",
    ),
    "the role tool": (
        lambda c: [*c[:2], types.Content(role="tool", parts=c[2].parts)],
        "Please use a valid role: user, model.",
    ),
}


@pytest.fixture(scope="module")
def legal(client: genai.Client) -> Contents:
    return loop(client, send)[1]


@pytest.mark.parametrize(("change", "message"), BREAKS.values(), ids=BREAKS.keys())
@pytest.mark.parametrize("send", [send, send_streaming])
def test_a_broken_history_is_refused(
    client: genai.Client,
    legal: Contents,
    send: Send,
    change: Callable[[Contents], Contents],
    message: str,
) -> None:
    with pytest.raises(errors.ClientError) as refused:
        send(client, change(copy.deepcopy(legal)))
    assert (refused.value.code, refused.value.status, refused.value.message) == (
        400,
        "INVALID_ARGUMENT",
        message,
    )
    assert send(client, copy.deepcopy(legal[:3])).role == "model"


# the rest of the surface


def test_models_and_tokens(client: genai.Client) -> None:
    names = {model.name for model in client.models.list()}
    assert "models/offline" in names
    assert client.models.get(model="offline").input_token_limit == 1_048_576
    counted = client.models.count_tokens(model="offline", contents="가" * 400)
    assert counted.total_tokens is not None and 300 <= counted.total_tokens < 330


def test_an_unknown_model_is_not_found(client: genai.Client) -> None:
    with pytest.raises(errors.ClientError) as refused:
        client.models.generate_content(model="gemini-pro", contents="Hi")
    assert (refused.value.code, refused.value.status) == (404, "NOT_FOUND")


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_both_versions_answer(url: str, version: str) -> None:
    client = connect(url, version)
    response = client.models.generate_content(model="gemini-3.8-flash", contents="안녕하세요")
    assert response.model_version == "bareloop-offline"
    assert response.text is not None and response.text.startswith("LLM이 없는 오프라인 모델입니다.")


def test_the_address_may_come_from_the_environment(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
    monkeypatch.setenv("GEMINI_API_KEY", "offline")
    client = genai.Client()
    assert client.models.generate_content(model="offline", contents="Hi").text


# two doors, one reply


def doors(client: genai.Client) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each step of one conversation through both doors: content and usage, ids included."""
    schema = BROWSER["parametersJsonSchema"]
    declaration = types.FunctionDeclaration(
        name=BROWSER["name"],
        description=BROWSER["description"],
        parameters_json_schema=schema,
    )
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declaration])],
        system_instruction="Be short.",
    )
    contents: list[dict[str, Any]] = [user("오슬로는 어디에 있나?")]
    for _ in range(2):
        reply = OfflineModel().generate(contents, [BROWSER], system="Be short.")
        response = client.models.generate_content(
            model="offline", contents=copy.deepcopy(contents), config=config
        )
        raw = response.model_dump(mode="json", exclude_none=True, by_alias=True)
        candidate, usage = raw["candidates"][0], raw["usageMetadata"]
        yield (
            {
                "content": reply.content,
                "finish": reply.finish_reason,
                "prompt": reply.usage.prompt_tokens,
                "output": reply.usage.output_tokens,
                "model": reply.model,
            },
            {
                "content": candidate["content"],
                "finish": candidate["finishReason"],
                "prompt": usage["promptTokenCount"],
                "output": usage["candidatesTokenCount"],
                "model": raw["modelVersion"],
            },
        )
        assert reply.content
        contents.append(reply.content)
        for call in reply.calls:
            response_part = {"id": call.id, "name": call.name, "response": {"output": "노르웨이"}}
            contents.append({"role": "user", "parts": [{"functionResponse": response_part}]})


def test_both_doors_give_the_same_reply(client: genai.Client) -> None:
    steps = list(doors(client))
    assert len(steps) == 2
    for in_process, over_http in steps:
        for part in over_http["content"]["parts"]:
            if "thoughtSignature" in part:  # the SDK writes url-safe base64
                part["thoughtSignature"] = (
                    part["thoughtSignature"].replace("-", "+").replace("_", "/")
                )
        assert over_http == in_process
