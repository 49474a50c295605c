import { createClient } from "../../src/client/client.ts";
import type { ApiRequest } from "../../src/client/request.ts";
import { type JsonValue, parseJson } from "../../src/contract/json.ts";
import type { OperationKind } from "../../src/contract/operation.ts";
import { recognizeOperation } from "../../src/contract/reply/recognize.ts";
import { anything } from "../../src/contract/reply/shape.ts";
import type { Method } from "../../src/contract/wire.ts";
import { RelayctlError } from "../../src/errors.ts";
import { type Recorded, recorded, replyOf } from "../helpers/service/recorded.ts";
import { reply } from "../helpers/service/reply.ts";
import { writtenFiles, writtenIn } from "../helpers/service/written.ts";
import { testClientContext } from "../helpers/test-link.ts";

/** Where only the status decides (promises 4.3). */
const BY_STATUS: Record<number, number> = { 200: 0, 201: 0, 400: 7, 401: 4, 403: 6, 404: 5, 405: 7, 413: 7, 429: 8 };

/** Where the words, the kind of request, or the requested value decides. */
const BY_NAME: Record<string, number> = {
  "auth/unknown path with a token": 7,
  "auth/known path, unknown method": 7,
  "transactions/by nonce words": 7,
  "relayers/create same signer": 6,
  "relayers/dead: pause": 6,
  "transactions/replace while pending": 6,
  "transactions/delete relayer in use": 6,
  "transactions/delete notification in use": 6,
  "transactions/delete signer in use": 6,
  "transactions/replace confirmed (final)": 6,
  "transactions/cancel confirmed (final)": 6,
  "signers/signer duplicate": 11,
  "notifications/create duplicate id": 11,
  "relayers/create duplicate id": 11,
  "relayers/dead: status": 9,
  "relayers/sign typed bad": 9,
  "redis paging/relayers?page=0": 9,
  "redis paging/relayers?per_page=0": 9,
  "redis paging/notifications?per_page=0": 9,
  "redis relayers/patch notification empty": 11,
  "transactions/replace explicit prices": 14,
  "transactions/replace legacy price": 14,
  "others/stellar cancel": 14,
  "relayers/patch rpc urls masked back": 2,
  "relayers/rpc unknown method": 7,
  "signers/delete in use": 6,
  "server/not ready": 0,
  "plugins/call of a plugin that fails": 11,
  "plugins/call of a plugin that fails raw": 11,
  "plugins/call of a plugin that times out": 11,
  "plugins/call of v1.1 that fails": 11,
  "plugins/call of a plugin that crashes": 11,
  "plugins/call that the service gives up": 11,
};

function expectedExit({ storage, section, name, response }: Recorded): number | undefined {
  const key = `${section}/${name}`;
  return BY_NAME[`${storage} ${key}`] ?? BY_NAME[key] ?? BY_STATUS[response.status];
}

/** The kind of requests that no operation sends yet (promises 7.1). */
function kindOf(method: string, path: string): OperationKind {
  if (method === "GET" || /\/sign(?:-[a-z-]+)?$/.test(path)) return "read";
  if (method === "DELETE") return "remove";
  if (method === "PATCH") return "patch";
  return /\/(?:relayers|signers|notifications)$/.test(path) ? "create" : "once";
}

function askOf({ request }: Recorded): ApiRequest {
  const [path = "", query] = request.path.split("?");
  const known = recognizeOperation(request.method as Method, path);
  const body = bodyOf(request.body);
  const rest = { query: Object.fromEntries(new URLSearchParams(query)), ...(body !== undefined && { body }) };
  if (known) return { ...known, ...rest };
  const below = path.replace(/^\/+api\/+v1/, "");
  const kind = kindOf(request.method, below);
  return {
    operation: { id: "api", kind, method: request.method as Method, path: below, data: anything, bare: true },
    ...rest,
  };
}

function bodyOf(text: string | null): JsonValue | undefined {
  try {
    return text ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

async function exitCodeOf(transport: Recorded): Promise<number> {
  const request = askOf(transport);
  const { method } = transport.request;
  const clientContext = testClientContext(
    async (request) => (request.method === method ? replyOf(transport) : reply(500, "")),
    {
      retries: 0,
    },
  );
  try {
    await createClient(clientContext).request(request);
    return 0;
  } catch (error) {
    if (error instanceof RelayctlError) return error.exitCode;
    throw error;
  }
}

const validated = [
  ...recorded.filter(({ response }) => !response.body.startsWith("<")),
  ...writtenFiles.flatMap(writtenIn),
];

describe("a recorded or written exchange ends with the exit code of its response", () => {
  test.each(validated)("$storage $section: $name", async (transport) => {
    expect(await exitCodeOf(transport)).toBe(expectedExit(transport));
  });

  test("every row of the table by name is used", () => {
    const names = validated.flatMap(({ storage, section, name }) => [
      `${section}/${name}`,
      `${storage} ${section}/${name}`,
    ]);
    expect(Object.keys(BY_NAME).filter((key) => !names.includes(key))).toEqual([]);
  });
});
