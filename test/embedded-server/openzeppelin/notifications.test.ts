import { askService } from "./ask-service.ts";

test("a key that is too short is refused in an update", async () => {
  const { status, text } = await askService().ask("PATCH", "/notifications/ops-hook", { signing_key: "short" });
  expect([status, JSON.parse(text).error]).toEqual([400, "Signing key must be at least 32 characters long"]);
});

test("a URL that is not text is reported as malformed, with the position", async () => {
  const { text } = await askService().ask("POST", "/notifications", '{"url":7}');
  expect(text).toBe("Json deserialize error: invalid type: integer `7`, expected a string at line 1 column 8");
});
