import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Operation } from "../contract/operation.ts";
import type { Call } from "../flow/call.ts";
import { readId } from "../flow/ids.ts";
import { Problems } from "../flow/problems.ts";
import { shownInstead } from "../flow/shown.ts";
import type { ResourceView, View } from "../terminal/view.ts";

/** Reads the one thing that the first operand names. */
export async function getView<T extends JsonObject>(
  call: Call,
  resource: ResourceView<T>,
  operation: Operation,
  parameter: string,
  get: (client: Client, id: string) => Promise<Answer<T>>,
): Promise<View> {
  const problems = new Problems();
  const id = await readId(call, problems, "id", call.operands[0]);
  problems.throwIfAny();
  const shown = await shownInstead(call, { operation, parameters: { [parameter]: id } });
  if (shown) return shown;
  const { client } = await call.session();
  const { data, body } = await get(client, id);
  return { kind: "one", resource, value: data, body };
}
