import { askService } from "./ask-service.ts";

const KEY = "n".repeat(40);

// Recorded, section notifications.
test.each([
  ['{"id":"h2","url":"http://127.0.0.1:8998/a"}', { id: "h2", has_signing_key: false }],
  [`{"url":"https://hooks.example.org/b","signing_key":"${KEY}"}`, { has_signing_key: true }],
  [
    '{"id":null,"url":"https://c.example.org","type":null,"signing_key":null}',
    { type: "webhook", has_signing_key: false },
  ],
  ['{"id":"ftp","url":"ftp://x.example.org/"}', { url: "ftp://x.example.org/" }],
])("creates %s", async (body, expected) => {
  const { status, data } = await askService().ask("POST", "/notifications", body);
  expect(status).toBe(201);
  expect(data).toMatchObject(expected);
  expect(Object.keys(data)).toEqual(["id", "type", "url", "has_signing_key"]);
});

const ID_RULE = "ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long";
const KEY_RULE = "Signing key must be at least 32 characters long";

test.each([
  ["POST", '{"id":"hook-1","url":"http://x.example"}', 500, "An unknown error occurred"],
  ["POST", '{"url":"nope"}', 400, "Invalid URL format"],
  ["POST", '{"url":"http://x.example","signing_key":""}', 400, KEY_RULE],
  ["POST", '{"url":"http://x.example","signing_key":"short"}', 400, KEY_RULE],
  ["POST", '{"id":"a b","url":"http://x.example"}', 400, ID_RULE],
  ["POST", `{"id":"${"a".repeat(37)}","url":"http://x.example"}`, 400, ID_RULE],
  ["PATCH", '{"url":""}', 400, "Invalid URL format"],
  ["PATCH", '{"signing_key":"short"}', 400, KEY_RULE],
] as const)("%s %s is refused with %i %s", async (method, body, status, error) => {
  const path = method === "POST" ? "/notifications" : "/notifications/hook-1";
  const reply = await askService().ask(method, path, body);
  expect([reply.status, reply.text]).toEqual([status, JSON.stringify({ success: false, data: null, error })]);
});

test.each([
  ["POST", '{"id":"x"}', "missing field `url` at line 1 column 10"],
  [
    "POST",
    '{"url":"http://x.example","type":"email"}',
    "unknown variant `email`, expected `webhook` at line 1 column 40",
  ],
  [
    "POST",
    '{"url":"http://x.example","x":1}',
    "unknown field `x`, expected one of `id`, `type`, `url`, `signing_key` at line 1 column 29",
  ],
  ["POST", '{"url":7}', "invalid type: integer `7`, expected a string at line 1 column 8"],
  ["POST", "[]", "invalid length 0, expected struct NotificationCreateRequest with 4 elements at line 1 column 2"],
  ["PATCH", '{"id":1}', "unknown field `id`, expected one of `type`, `url`, `signing_key` at line 1 column 5"],
] as const)("%s %s is reported as malformed, as text with the position", async (method, body, why) => {
  const path = method === "POST" ? "/notifications" : "/notifications/nope";
  const { status, headers, text } = await askService().ask(method, path, body);
  expect([status, headers["content-type"]]).toEqual([400, "text/plain; charset=utf-8"]);
  expect(text).toBe(`Json deserialize error: ${why}`);
});

test.each([
  ["{}", { has_signing_key: true }],
  ['{"signing_key":null}', { has_signing_key: true }],
  ['{"signing_key":""}', { has_signing_key: false }],
  ['{"url":"http://127.0.0.1:8998/b"}', { url: "http://127.0.0.1:8998/b", has_signing_key: true }],
])("PATCH %s follows the rules for signing keys", async (body, expected) => {
  const { status, data } = await askService().ask("PATCH", "/notifications/hook-1", body);
  expect(status).toBe(200);
  expect(data).toMatchObject(expected);
});

test("the error for an unknown notification quotes its ID", async () => {
  const { ask } = askService();
  for (const method of ["GET", "PATCH", "DELETE"] as const) {
    const { status, text } = await ask(method, "/notifications/zz", method === "PATCH" ? {} : undefined);
    expect([status, text]).toEqual([
      404,
      '{"success":false,"data":null,"error":"Notification with ID \'zz\' not found"}',
    ]);
  }
});

test("the error for deleting a notification in use lists its relayers", async () => {
  const { text } = await askService().ask("DELETE", "/notifications/hook-1");
  expect(JSON.parse(text).error).toBe(
    "Cannot delete notification 'hook-1' because it is being used by 1 relayer(s): Name evm-1. Please remove or reconfigure these relayers before deleting the notification.",
  );
});
