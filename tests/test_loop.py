"""The loop itself: its shape on paper, and what it does with a model's replies."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Annotated

import agent.loop
from agent.limits import Limits
from agent.loop import run_agent
from agent.run import Run
from agent.toolbox import Toolbox
from tests.replies import Replies, call, turn

ROOT = Path(agent.loop.__file__).parent
SOURCE = (ROOT / "loop.py").read_text(encoding="utf-8")
RUN_AGENT = next(
    node
    for node in ast.walk(ast.parse(SOURCE))
    if isinstance(node, ast.FunctionDef) and node.name == "run_agent"
)


def lookup(name: Annotated[str, "what to look up"]) -> str:
    """Look something up."""
    return f"{name}: found"


def test_the_loop_is_a_recipe():
    statements = [node for node in ast.walk(RUN_AGENT) if isinstance(node, ast.stmt)]
    assert 10 <= len(statements) - 2 <= 15  # without the def itself and its docstring
    assert sum(isinstance(node, ast.For) for node in ast.walk(RUN_AGENT)) == 1
    assert not any(isinstance(node, ast.While) for node in ast.walk(ast.parse(SOURCE)))


def test_the_eight_anchors_stand_above_their_statements():
    body = ast.get_source_segment(SOURCE, RUN_AGENT)
    assert body is not None
    assert re.findall(r"^\s*# ([①-⑳])", body, re.MULTILINE) == list("①②③④⑤⑥⑦⑧")
    below = re.findall(r"# [①-⑧] .*\n\s*(.+)", body)
    assert below == [
        "run.record(user(question))",
        "for step in range(1, limits.max_steps + 1):",
        "reply = model.generate(run.contents, tools.declarations)",
        "if not reply.calls:",
        "run.record(reply.content, reply)",
        "results = tools.call_all(reply.calls)",
        "run.record(observation(results))",
        'return run.finish(stopped("max_steps"))',
    ]


def asking(module: ast.Module) -> set[str]:
    """The names in a module that lead to a request: ``generate``, and every function of the module
    that calls such a name."""
    names = {"generate", "run_agent"}
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    for _ in functions:
        names |= {each.name for each in functions if called(each) & names}
    return names


def called(node: ast.AST) -> set[str]:
    """The names that are called, or handed on to be called, anywhere in ``node``."""
    return {
        each.attr if isinstance(each, ast.Attribute) else each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute | ast.Name)
    }


def stepping(source: str) -> list[int]:
    """The lines of ``source`` where a loop asks a model again and again."""
    module = ast.parse(source)
    names = asking(module)
    loops = ast.For | ast.While | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
    return [
        node.lineno for node in ast.walk(module) if isinstance(node, loops) and called(node) & names
    ]


def test_no_second_stepping_loop():
    """Nothing else under agent/ asks a model again and again."""
    found = {
        path.relative_to(ROOT).as_posix(): lines
        for path in ROOT.rglob("*.py")
        if (lines := stepping(path.read_text(encoding="utf-8")))
    }
    assert list(found) == ["loop.py"] and len(found["loop.py"]) == 1


def test_a_second_stepping_loop_would_be_seen():
    guarded = (ROOT / "models/guarded.py").read_text(encoding="utf-8")
    once = "        reply = self._ask(contents, tools, system, mode, generation)\n"
    assert once in guarded
    twice = "        for _ in range(3):\n    " + once
    assert stepping(guarded.replace(once, twice))
    assert stepping("while True:\n    model.generate(contents, tools)\n")


def test_the_history_is_the_request():
    model = Replies(turn(call("lookup", name="a")), turn(call("lookup", name="b")), turn("a, b"))
    run = run_agent("a and b?", model, Toolbox([lookup]))
    assert (run.answer, run.stop_reason, run.steps) == ("a, b", "answered", 3)
    assert [len(request["contents"]) for request in model.requests] == [1, 3, 5]
    assert run.contents[:5] == model.requests[-1]["contents"]
    assert [content["role"] for content in run.contents] == [
        "user", "model", "user", "model", "user", "model",
    ]  # fmt: skip


def test_parallel_calls_get_one_content_in_order():
    calls = [call("lookup", name=name) for name in "abc"]
    calls[1]["functionCall"]["id"] = "call_7"
    model = Replies(turn(*calls), turn("done"))
    run = run_agent("?", model, Toolbox([lookup]))
    responses = [part["functionResponse"] for part in run.contents[2]["parts"]]
    assert [each["response"] for each in responses] == [
        {"output": f"{name}: found"} for name in "abc"
    ]
    assert [each.get("id") for each in responses] == [None, "call_7", None]


def test_a_model_turn_is_recorded_verbatim():
    part = {**call("lookup", name="a"), "thoughtSignature": "c2ln+/==", "unknownField": {"x": 1}}
    model = Replies(turn({"text": "", "thought": True}, part), turn("done"))
    run = run_agent("?", model, Toolbox([lookup]))
    assert run.contents[1] == {"role": "model", "parts": [{"text": "", "thought": True}, part]}


def test_the_cap_says_so_and_leaves_a_legal_history():
    for most in (1, 2):
        model = Replies(*[turn(call("lookup", name=str(n))) for n in range(most)])
        run = run_agent("?", model, Toolbox([lookup]), Limits(max_steps=most), Run(language="ko"))
        assert (run.stop_reason, run.answer, run.steps) == ("max_steps", None, most)
        assert run.message == "(최대 단계에 도달해 중단했습니다)"
        assert run.contents[-1] == {"role": "model", "parts": [{"text": run.message}]}
        assert not model.answers


def test_just_inside_the_cap_the_answer_counts():
    model = Replies(turn(call("lookup", name="a")), turn("done"))
    run = run_agent("?", model, Toolbox([lookup]), Limits(max_steps=2))
    assert (run.answer, run.stop_reason) == ("done", "answered")


def test_a_second_question_sees_the_first():
    first = run_agent("one?", Replies(turn("1")), Toolbox())
    model = Replies(turn("2"))
    second = run_agent("two?", model, Toolbox(), run=Run.following(first))
    assert [content["parts"][0]["text"] for content in model.requests[0]["contents"]] == [
        "one?", "1", "two?",
    ]  # fmt: skip
    assert second.steps == 1
