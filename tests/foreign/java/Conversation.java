// A conversation with tools, by the official SDK for Java. Prints a JSON line for each result.

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;
import com.google.genai.types.Tool;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Conversation {
  private static final String MODEL = "gemini-3.8-flash";
  private static final Map<String, String> FOUND =
      Map.of("search_handbook", "No results found.", "get_weather", "Oslo: rain, 4 degrees");
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private interface Ask {
    Content ask(List<Content> contents);
  }

  private static FunctionDeclaration tool(String name, String description, String parameter) {
    return FunctionDeclaration.builder()
        .name(name)
        .description(description)
        .parametersJsonSchema(
            Map.of(
                "type", "object",
                "properties", Map.of(parameter, Map.of("type", "string")),
                "required", List.of(parameter)))
        .build();
  }

  private static void say(Object... pairs) throws Exception {
    Map<String, Object> line = new LinkedHashMap<>();
    for (int at = 0; at < pairs.length; at += 2) {
      line.put((String) pairs[at], pairs[at + 1]);
    }
    OUT.println(new ObjectMapper().writeValueAsString(line));
  }

  private static Content content(String role, List<Part> parts) {
    return Content.builder().role(role).parts(parts).build();
  }

  private static Content answered(Content content) {
    List<Part> parts = new ArrayList<>();
    for (Part part : content.parts().get()) {
      part.functionCall()
          .ifPresent(
              call -> {
                String name = call.name().get();
                FunctionResponse.Builder response =
                    FunctionResponse.builder().name(name).response(Map.of("result", FOUND.get(name)));
                call.id().ifPresent(response::id);
                parts.add(Part.builder().functionResponse(response.build()).build());
              });
    }
    return content("user", parts);
  }

  private static void converse(String way, Ask ask) throws Exception {
    Content asked = content("user", List.of(Part.fromText("What is the weather in Oslo?")));
    List<Content> contents = new ArrayList<>(List.of(asked));
    List<String> called = new ArrayList<>();
    StringBuilder answer = new StringBuilder();
    for (int step = 1; step <= 3; step++) {
      Content content = ask.ask(contents);
      contents.add(content);
      int before = called.size();
      for (Part part : content.parts().get()) {
        part.functionCall().ifPresent(call -> called.add(call.name().get()));
        part.text().ifPresent(answer::append);
      }
      if (called.size() == before) {
        break;
      }
      contents.add(answered(content));
    }
    say("way", way, "called", called, "answer", answer.toString());

    List<Part> unsigned = new ArrayList<>();
    for (Part part : contents.get(1).parts().get()) {
      unsigned.add(Part.builder().functionCall(part.functionCall().get()).build());
    }
    List<Part> twice = new ArrayList<>(contents.get(2).parts().get());
    twice.addAll(contents.get(2).parts().get());
    Map<String, List<Content>> broken = new LinkedHashMap<>();
    broken.put("response_without_call", List.of(asked, contents.get(2)));
    broken.put("counts_differ", List.of(asked, contents.get(1), content("user", twice)));
    broken.put("missing_signature", List.of(asked, content("model", unsigned), contents.get(2)));
    for (Map.Entry<String, List<Content>> each : broken.entrySet()) {
      try {
        ask.ask(each.getValue());
        say("way", way, "broken", each.getKey(), "code", 200, "message", "");
      } catch (ApiException refused) {
        say("way", way, "broken", each.getKey(), "code", refused.code(), "message", refused.message());
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (Client client =
        Client.builder()
            .apiKey("offline")
            .httpOptions(HttpOptions.builder().baseUrl(arguments[0]).build())
            .build()) {
      GenerateContentConfig config =
          GenerateContentConfig.builder()
              .tools(
                  Tool.builder()
                      .functionDeclarations(
                          tool("search_handbook", "Search the handbook.", "query"),
                          tool("get_weather", "Get the weather of a city.", "city"))
                      .build())
              .build();
      converse(
          "plain",
          contents ->
              client.models.generateContent(MODEL, contents, config)
                  .candidates().get().get(0).content().get());
      converse(
          "stream",
          contents -> {
            List<Part> parts = new ArrayList<>();
            try (ResponseStream<GenerateContentResponse> chunks =
                client.models.generateContentStream(MODEL, contents, config)) {
              for (GenerateContentResponse chunk : chunks) {
                parts.addAll(chunk.candidates().get().get(0).content().get().parts().get());
              }
            }
            return content("model", parts);
          });
    }
    System.exit(0);
  }
}
