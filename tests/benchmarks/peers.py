"""The loops of other libraries on the stand-in of steps.py: ``make bench-peers``.

Each runs in an environment of its own, which the make target makes; none of them is a dependency.
Run by steps.py: ``python peers.py --loop langchain --url URL --steps N``. All three
send through google-genai, which takes the address from the environment.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
from typing import Any

MODEL = "gemini-3.8-flash"
QUESTION = "Which line?"
SYSTEM = "Look it up."


def look_up(query: str) -> str:
    """Looks a line up."""
    return "x" * 400


def langchain(steps: int) -> str:
    from langchain.agents import create_agent
    from langchain_google_genai import ChatGoogleGenerativeAI

    model = ChatGoogleGenerativeAI(model=MODEL, temperature=0)
    agent: Any = create_agent(model, [look_up], system_prompt=SYSTEM)
    told = agent.invoke(
        {"messages": [{"role": "user", "content": QUESTION}]},
        {"recursion_limit": 2 * steps + 10},
    )
    content = told["messages"][-1].content
    return content if isinstance(content, str) else content[0]["text"]


def adk(steps: int) -> str:
    from google.adk.agents import LlmAgent, RunConfig
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    agent = LlmAgent(name="asking", model=MODEL, instruction=SYSTEM, tools=[look_up])

    async def ask() -> str:
        runner = InMemoryRunner(agent=agent, app_name="bench")
        session = await runner.session_service.create_session(app_name="bench", user_id="u")
        message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
        said = ""
        async for event in runner.run_async(
            user_id="u",
            session_id=session.id,
            new_message=message,
            run_config=RunConfig(max_llm_calls=steps + 10),
        ):
            if event.is_final_response():
                said = event.content.parts[0].text
        return said

    return asyncio.run(ask())


def pydantic_ai(steps: int) -> str:
    from pydantic_ai import Agent
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.usage import UsageLimits

    agent: Any = Agent(GoogleModel(MODEL), instructions=SYSTEM, tools=[look_up])
    return agent.run_sync(QUESTION, usage_limits=UsageLimits(request_limit=steps + 10)).output


LOOPS = {"langchain": langchain, "adk": adk, "pydantic-ai": pydantic_ai}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--loop", choices=LOOPS, required=True)
    options.add_argument("--url", required=True)
    options.add_argument("--steps", type=int, required=True)
    args = options.parse_args()
    os.environ |= {"GOOGLE_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": args.url}
    assert LOOPS[args.loop](args.steps) == "Done."
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu_s": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
