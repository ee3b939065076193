// A conversation with tools, by the official SDK for Go. Prints a JSON line for each result.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"google.golang.org/genai"
)

const model = "gemini-3.8-flash"

var found = map[string]string{
	"search_handbook": "No results found.",
	"get_weather":     "Oslo: rain, 4 degrees",
}

type ask func([]*genai.Content) (*genai.Content, error)

func text(name string) map[string]any {
	return map[string]any{
		"type":       "object",
		"properties": map[string]any{name: map[string]any{"type": "string"}},
		"required":   []string{name},
	}
}

func say(line map[string]any) {
	encoded, _ := json.Marshal(line)
	os.Stdout.Write(append(encoded, '\n'))
}

func answered(content *genai.Content) *genai.Content {
	answer := &genai.Content{Role: "user"}
	for _, part := range content.Parts {
		if call := part.FunctionCall; call != nil {
			response := map[string]any{"result": found[call.Name]}
			answer.Parts = append(answer.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{
				ID: call.ID, Name: call.Name, Response: response}})
		}
	}
	return answer
}

func converse(way string, ask ask) error {
	asked := genai.NewContentFromText("What is the weather in Oslo?", "user")
	contents := []*genai.Content{asked}
	called := []string{}
	answer := ""
	for step := 1; step <= 3; step++ {
		content, err := ask(contents)
		if err != nil {
			return err
		}
		contents = append(contents, content)
		calls := 0
		for _, part := range content.Parts {
			if part.FunctionCall != nil {
				called = append(called, part.FunctionCall.Name)
				calls++
			}
			answer += part.Text
		}
		if calls == 0 {
			break
		}
		contents = append(contents, answered(content))
	}
	say(map[string]any{"way": way, "called": called, "answer": answer})

	unsigned := &genai.Content{Role: "model"}
	for _, part := range contents[1].Parts {
		unsigned.Parts = append(unsigned.Parts, &genai.Part{FunctionCall: part.FunctionCall})
	}
	responses := contents[2].Parts
	twice := &genai.Content{Role: "user", Parts: append(append([]*genai.Part{}, responses...), responses...)}
	broken := map[string][]*genai.Content{
		"response_without_call": {asked, contents[2]},
		"counts_differ":         {asked, contents[1], twice},
		"missing_signature":     {asked, unsigned, contents[2]},
	}
	for name, history := range broken {
		code, message := 200, ""
		var refused genai.APIError
		if _, err := ask(history); errors.As(err, &refused) {
			code, message = refused.Code, refused.Message
		} else if err != nil {
			code, message = 0, err.Error()
		}
		say(map[string]any{"way": way, "broken": name, "code": code, "message": message})
	}
	return nil
}

func main() {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey:      "offline",
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: os.Args[1]},
	})
	if err != nil {
		panic(err)
	}
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{
		FunctionDeclarations: []*genai.FunctionDeclaration{
			{Name: "search_handbook", Description: "Search the handbook.", ParametersJsonSchema: text("query")},
			{Name: "get_weather", Description: "Get the weather of a city.", ParametersJsonSchema: text("city")},
		},
	}}}
	plain := func(contents []*genai.Content) (*genai.Content, error) {
		response, err := client.Models.GenerateContent(ctx, model, contents, config)
		if err != nil {
			return nil, err
		}
		return response.Candidates[0].Content, nil
	}
	stream := func(contents []*genai.Content) (*genai.Content, error) {
		whole := &genai.Content{Role: "model"}
		for chunk, err := range client.Models.GenerateContentStream(ctx, model, contents, config) {
			if err != nil {
				return nil, err
			}
			whole.Parts = append(whole.Parts, chunk.Candidates[0].Content.Parts...)
		}
		return whole, nil
	}
	for way, ask := range map[string]ask{"plain": plain, "stream": stream} {
		if err := converse(way, ask); err != nil {
			say(map[string]any{"way": way, "called": []string{strings.TrimSpace(err.Error())}, "answer": ""})
		}
	}
}
