// A conversation with tools, by the official SDK for JavaScript. Prints a JSON line for each result.
import { GoogleGenAI } from "@google/genai";

const ai = new GoogleGenAI({ apiKey: "offline", httpOptions: { baseUrl: process.argv[2] } });
const model = "gemini-3.8-flash";
const text = (name) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});
const tools = [
  {
    functionDeclarations: [
      {
        name: "search_handbook",
        description: "Search the handbook.",
        parametersJsonSchema: text("query"),
      },
      {
        name: "get_weather",
        description: "Get the weather of a city.",
        parametersJsonSchema: text("city"),
      },
    ],
  },
];
const found = {
  search_handbook: "No results found.",
  get_weather: "Oslo: rain, 4 degrees",
};
const asked = { role: "user", parts: [{ text: "What is the weather in Oslo?" }] };
const say = (line) => console.log(JSON.stringify(line));

async function plain(contents) {
  const response = await ai.models.generateContent({ model, contents, config: { tools } });
  return response.candidates[0].content;
}

async function stream(contents) {
  const parts = [];
  for await (const chunk of await ai.models.generateContentStream({
    model,
    contents,
    config: { tools },
  })) {
    parts.push(...chunk.candidates[0].content.parts);
  }
  return { role: "model", parts };
}

function answered(content) {
  const parts = content.parts
    .filter((part) => part.functionCall)
    .map(({ functionCall: { id, name } }) => ({
      functionResponse: { id, name, response: { result: found[name] } },
    }));
  return { role: "user", parts };
}

for (const [way, ask] of Object.entries({ plain, stream })) {
  const contents = [asked];
  const called = [];
  for (let step = 1; step <= 3; step += 1) {
    const content = await ask(contents);
    contents.push(content);
    const calls = content.parts.filter((part) => part.functionCall);
    if (calls.length === 0) break;
    called.push(...calls.map((part) => part.functionCall.name));
    contents.push(answered(content));
  }
  const last = contents.at(-1).parts.map((part) => part.text ?? "").join("");
  say({ way, called, answer: last });

  const call = contents[1];
  const unsigned = { ...call, parts: call.parts.map(({ thoughtSignature, ...rest }) => rest) };
  const twice = { role: "user", parts: [...contents[2].parts, ...contents[2].parts] };
  const broken = {
    response_without_call: [asked, contents[2]],
    counts_differ: [asked, call, twice],
    missing_signature: [asked, unsigned, contents[2]],
  };
  for (const [name, history] of Object.entries(broken)) {
    try {
      await ask(history);
      say({ way, broken: name, code: 200, message: "" });
    } catch (error) {
      say({ way, broken: name, code: error.status, message: error.message });
    }
  }
}
