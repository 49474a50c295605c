import { APPLY, type Fault, once, READ, RST, sendReply } from "../fault.ts";

const failure = (words: string) => `{"success":false,"data":null,"error":"${words}"}`;
const message = (words: string) => `{"data":null,"message":"${words}","success":false}`;
const UNAUTHORIZED = '{"success": false, "code": 401, "error": "Unauthorized", "message": "Unauthorized"}';
const LIMITED =
  '{ "success": false, "code":429, "error": "TooManyRequests", "message": "Too Many Requests", "after": 0}';

/** Where a redirect points: the table puts the origin there that must never see a byte. */
export const ELSEWHERE = "http://elsewhere.invalid";

type Refusal = readonly [name: string, code: number, status: number, body: string, headers?: Record<string, string>];

const REFUSALS: readonly Refusal[] = [
  ["400", 7, 400, message("Bad Request")],
  [
    "400 text",
    7,
    400,
    "Json deserialize error: missing field `url` at line 1 column 10",
    { "content-type": "text/plain" },
  ],
  ["400 without a body", 7, 400, ""],
  ["400 HTML", 7, 400, "<html><body>400</body></html>"],
  ["400 about a state", 6, 400, failure("Relayer is disabled")],
  ["400 about a status", 6, 400, failure("Invalid transaction state for replace_transaction. Current: Confirmed")],
  ["401", 4, 401, UNAUTHORIZED],
  ["401 without a body", 4, 401, ""],
  ["403", 4, 403, failure("Forbidden")],
  ["403 about a state", 6, 403, failure("Relayer paused")],
  ["404 with an envelope", 5, 404, message("Not found")],
  ["404 without a body", 7, 404, ""],
  ["405", 7, 405, failure("GET requests are not enabled")],
  ["407", 4, 407, ""],
  ["409", 6, 409, message("Notification with this ID already exists")],
  ["413", 7, 413, "JSON payload has exceeded limit (2097152 bytes).", { "content-type": "text/plain" }],
  ["418", 7, 418, "a teapot"],
  ["422", 7, 422, failure("no")],
  ["501 with an envelope", 7, 501, failure("Sign data not supported")],
  ["301 to another origin", 7, 301, "", { location: `${ELSEWHERE}/api/v1/relayers` }],
  ["302 to another origin", 7, 302, "", { location: `${ELSEWHERE}/api/v1/relayers` }],
  ["307 to another origin", 7, 307, "", { location: `${ELSEWHERE}/api/v1/relayers` }],
  ["308 to another origin", 7, 308, "", { location: `${ELSEWHERE}/api/v1/relayers` }],
  ["200 with a refusal", 7, 200, message("Bad Request")],
  ["200 that says unauthorized", 4, 200, message("Unauthorized")],
  ["200 that says not found", 5, 200, message("Not found")],
  ["200 about a state", 6, 200, failure("Relayer is paused")],
];

/** Complete refusals: nothing was applied. */
export const refused: readonly Fault[] = REFUSALS.map(([name, code, status, body, headers]) => ({
  name,
  row: "refused",
  code,
  steps: [READ, sendReply(status, body, headers)],
}));

const LIMITS: Fault[] = [
  { name: "429", steps: [READ, sendReply(429, LIMITED, { "retry-after": "0" })] },
  {
    name: "429 text",
    steps: [READ, sendReply(429, '{"error":"Too many concurrent requests"}', { "content-type": "text/plain" })],
  },
  { name: "429 for an hour", steps: [READ, sendReply(429, LIMITED, { "retry-after": "3600" })] },
  { name: "429 for 99999999 s", steps: [READ, sendReply(429, LIMITED, { "retry-after": "99999999" })] },
].map((fault) => ({ ...fault, row: "limited", code: 8 }) as Fault);

/** A refusal by rate that never ends: a command that changes many waits for minutes before it gives one of them up. */
export const alwaysLimited: readonly Fault[] = LIMITS.slice(0, 2);

export const limited: readonly Fault[] = [...LIMITS, ...alwaysLimited.map(once)];

/** A refusal that allows a retry, and then a lost response. */
export const limitedThenLost: readonly (readonly Fault[])[] = [[READ, APPLY, RST] as const, [READ, RST] as const].map(
  (steps) => [
    { name: "429", row: "limited", code: 8, steps: LIMITS[0]?.steps ?? [] },
    { name: `then reset${steps.length > 2 ? ", applied" : ""}`, row: "lost", code: 10, steps },
  ],
);
